import { type GatewayOptions, startGateway } from '../gateway';
import { type HealthServer, startHealth } from '../health';
import type { Metrics } from '../metrics';

export interface GatewayProcessOptions extends GatewayOptions {
  metrics: Metrics;
  healthAddress: { host: string; port: number };
}

/** A running gateway with its health server. */
export interface GatewayProcess {
  url: string;
  health: HealthServer;
  /** Stops accepting webhooks, finishes the requests in flight, and closes the health server last. */
  drain(): Promise<void>;
}

/** Starts the gateway of all entities, with health and metrics. Temporal need not be reachable yet. */
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
