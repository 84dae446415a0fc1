import { type HealthCheck, type HealthServer, startHealth } from '../../src/health';
import { createMetrics } from '../../src/metrics';

const servers: HealthServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(checks: Record<string, HealthCheck> = {}, port = 0): Promise<HealthServer> {
  const server = await startHealth({ address: { host: '127.0.0.1', port }, checks, metrics: createMetrics() });
  servers.push(server);
  return server;
}

async function get(server: HealthServer, path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(server.url + path);
  return { status: response.status, body: await response.json() };
}

test('is alive regardless of the checks', async () => {
  expect(await get(await start({ temporal: () => false }), '/healthz')).toEqual({ status: 200, body: { alive: true } });
});

test('is ready when all checks pass', async () => {
  const server = await start({ temporal: () => true, workers: async () => true });
  expect(await get(server, '/readyz')).toEqual({
    status: 200,
    body: { ready: true, checks: { temporal: true, workers: true } },
  });
});

test.each<[string, HealthCheck]>([
  ['fails', () => false],
  ['rejects', () => Promise.reject(new Error('canary'))],
  [
    'throws',
    () => {
      throw new Error('canary');
    },
  ],
  ['never responds', () => new Promise(() => {})],
])('is not ready when a check %s', async (_, check) => {
  expect(await get(await start({ temporal: () => true, workers: check }), '/readyz')).toEqual({
    status: 503,
    body: { ready: false, checks: { temporal: true, workers: false } },
  });
});

test('is not ready while it shuts down', async () => {
  const server = await start({ temporal: () => true });
  server.drain();
  expect(await get(server, '/readyz')).toEqual({
    status: 503,
    body: { ready: false, draining: true, checks: { temporal: true } },
  });
  expect((await get(server, '/healthz')).status).toBe(200);
});

test('serves metrics in the format of Prometheus', async () => {
  const response = await fetch(`${(await start()).url}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toContain('process_cpu_seconds_total');
});

test('the error for an address in use names the address and the variable to set', async () => {
  const port = Number(new URL((await start()).url).port);
  await expect(start({}, port)).rejects.toThrow(
    `Health and metrics can't listen on 127.0.0.1:${port} (EADDRINUSE). Set WALLETFLOW_HEALTH_ADDRESS to a free address`,
  );
});

test('closes although a scraper keeps its connection open', async () => {
  const server = await start();
  await get(server, '/healthz');
  await server.close();
  await expect(get(server, '/healthz')).rejects.toThrow('fetch failed');
});
