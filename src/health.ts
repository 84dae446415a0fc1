import fastify from 'fastify';
import type { Metrics } from './metrics';

/** A check that hangs is a failed one: probes of Kubernetes wait for 1 s by default, load balancers for some more. */
const CHECK_TIMEOUT_MS = 900;

/** True when the process can do its work; false, a rejection or no answer when it can't. */
export type HealthCheck = () => boolean | Promise<boolean>;

export interface HealthOptions {
  /** Port 0 takes any free one. */
  address: { host: string; port: number };
  /** By name, as shown in the answer of `/readyz`. */
  checks: Record<string, HealthCheck>;
  metrics: Pick<Metrics, 'contentType' | 'text'>;
}

export interface HealthServer {
  /** `http://127.0.0.1:9464` */
  url: string;
  /** From now on `/readyz` answers 503, while the process finishes what it has begun. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * - `/healthz` 200 as long as the process answers at all
 * - `/readyz` `{ ready, checks: { "<name>": true | false } }`, 200 when all checks pass, else 503
 * - `/metrics` text format of Prometheus
 *
 * Answers hold names and states only; errors of checks are not shown.
 * @throws Error when the address can't be listened on
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
