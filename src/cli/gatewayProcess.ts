import { type GatewayOptions, startGateway } from '../gateway';
import { type HealthServer, startHealth } from '../health';
import type { Metrics } from '../metrics';

export interface GatewayProcessOptions extends GatewayOptions {
  metrics: Metrics;
  healthAddress: { host: string; port: number };
}

/** The gateway of this process, at work. */
export interface GatewayProcess {
  url: string;
  health: HealthServer;
  /** Takes no more webhooks, answers what it has begun, and stops answering for health last. */
  drain(): Promise<void>;
}

/** Starts the gateway of all entities, and health and metrics beside it. Temporal may come later. */
export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const { client, metrics, healthAddress } = options;
  const health = await startHealth({
    address: healthAddress,
    checks: {
      temporal: async () => {
        await client.workflowService.getSystemInfo({});
        return true;
      },
    },
    metrics,
  });
  const gateway = await startGateway(options).catch(async (error: unknown) => {
    await health.close();
    throw error;
  });
  return {
    url: gateway.url,
    health,
    async drain() {
      health.drain();
      await gateway.close();
      await health.close();
    },
  };
}
