import fastify from 'fastify';
import type { Metrics } from './metrics';

/** A check that takes longer fails. The limit is below 1 s, the default timeout of Kubernetes probes. */
const CHECK_TIMEOUT_MS = 900;

/** Returns true if the process can do its work. False, a rejection or a timeout mean that it cannot. */
export type HealthCheck = () => boolean | Promise<boolean>;

export interface HealthOptions {
  /** Port 0 means any free port. */
  address: { host: string; port: number };
  /** By name; the response of `/readyz` shows the names. */
  checks: Record<string, HealthCheck>;
  metrics: Pick<Metrics, 'contentType' | 'text'>;
}

export interface HealthServer {
  /** `http://127.0.0.1:9464` */
  url: string;
  /** From now on `/readyz` responds 503. For a process that finishes its work before it ends. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Starts the server for health checks and metrics:
 *
 * - `/healthz`  always 200
 * - `/readyz`   `{ ready, checks: { "<name>": true | false } }`; 200 if all checks pass, else 503
 * - `/metrics`  the text format of Prometheus
 *
 * Responses contain names and states only, not the errors of checks.
 * @throws Error if it cannot listen on the address
 */
export async function startHealth({ address, checks, metrics }: HealthOptions): Promise<HealthServer> {
  let draining = false;
  const server = fastify({ forceCloseConnections: true });

  server.get('/healthz', () => ({ alive: true }));
  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const),
    );
    const ready = !draining && results.every(([, passed]) => passed);
    return reply
      .code(ready ? 200 : 503)
      .send({ ready, ...(draining && { draining }), checks: Object.fromEntries(results) });
  });
  server.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()));

  const url = await server.listen(address).catch((cause: unknown) => {
    throw new Error(
      `Health and metrics can't listen on ${address.host}:${address.port} (${(cause as NodeJS.ErrnoException).code}). ` +
        'Set WALLETFLOW_HEALTH_ADDRESS to a free address, or to port 0 for any; each process on a machine needs its own.',
      { cause },
    );
  });
  return {
    url,
    drain() {
      draining = true;
    },
    close: () => server.close(),
  };
}

async function passes(check: HealthCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), timeout]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
