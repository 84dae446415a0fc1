import { createServer, type Server } from 'node:http';
import { createMetrics } from '../../src/metrics';
import { freeLoopbackAddress } from '../../src/temporal/sdkMetrics';

let sdk: Server | undefined;

afterEach(() => {
  sdk?.close();
  sdk = undefined;
});

/** Starts a server in place of the SDK's exporter. @returns its address */
async function serveSdkPage(page: string, status = 200): Promise<string> {
  const address = await freeLoopbackAddress();
  const [host, port] = address.split(':');
  sdk = createServer((_request, response) => response.writeHead(status).end(page));
  await new Promise<void>((resolve) => sdk!.listen(Number(port), host, resolve));
  return address;
}

/** The sample lines that begin with `name`. */
async function samples(metrics: { text(): Promise<string> }, name: string): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
}

test('counts requests by endpoint, status and code', async () => {
  const metrics = createMetrics();
  metrics.apiRequest({ entity: 'main', endpoint: 'createTransfer', status: 201, code: 0, seconds: 0.2 });
  metrics.apiRequest({ entity: 'main', endpoint: 'createTransfer', status: 400, code: 155201, seconds: 0.3 });
  metrics.apiRequest({ entity: 'main', endpoint: 'createTransfer', status: 400, code: 155201, seconds: 30 });
  expect(await samples(metrics, 'walletflow_api_requests_total')).toEqual([
    'walletflow_api_requests_total{entity="main",endpoint="createTransfer",status="201",code="0"} 1',
    'walletflow_api_requests_total{entity="main",endpoint="createTransfer",status="400",code="155201"} 2',
  ]);
  expect(await samples(metrics, 'walletflow_api_request_seconds_bucket{le="20"')).toEqual([
    'walletflow_api_request_seconds_bucket{le="20",entity="main",endpoint="createTransfer"} 2',
  ]);
});

test('counts permit waits, throttled requests and ended flows', async () => {
  const metrics = createMetrics();
  metrics.permitWait('api/main/createTransfer', 2);
  metrics.throttled('createTransfer');
  metrics.flowEnded('transfer', 'completed');
  const text = await metrics.text();
  expect(text).toContain('walletflow_permit_wait_seconds_count{bucket="api/main/createTransfer"} 1');
  expect(text).toContain('walletflow_throttled_total{endpoint="createTransfer"} 1');
  expect(text).toContain('walletflow_flows_ended_total{flow="transfer",status="completed"} 1');
});

test('an incident is counted once and is open until it is closed', async () => {
  const metrics = createMetrics();
  metrics.incidentOpened('main');
  expect(await samples(metrics, 'walletflow_incident_open{')).toEqual(['walletflow_incident_open{entity="main"} 1']);
  metrics.incidentClosed('main');
  expect(await samples(metrics, 'walletflow_incident')).toEqual([
    'walletflow_incidents_total{entity="main"} 1',
    'walletflow_incident_open{entity="main"} 0',
  ]);
});

test('two registries in one process are independent', async () => {
  createMetrics().throttled('createTransfer');
  expect(await samples(createMetrics(), 'walletflow_throttled_total')).toEqual([]);
});

test("the SDK's metrics follow the metrics of Walletflow", async () => {
  const metrics = createMetrics({
    sdkAddress: await serveSdkPage('# TYPE temporal_request_total counter\ntemporal_request_total 3\n'),
  });
  const text = await metrics.text();
  expect(text).toMatch(
    /\nwalletflow_sdk_metrics_up 1\n# TYPE temporal_request_total counter\ntemporal_request_total 3\n$/,
  );
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^(walletflow|process|nodejs|temporal)_/.test(name))).toEqual([]);
});

test.each([
  ['is down', () => freeLoopbackAddress()],
  ['returns an error', () => serveSdkPage('oops', 500)],
])('the metrics of Walletflow are served when the exporter of the SDK %s', async (_, address) => {
  const text = await createMetrics({ sdkAddress: await address() }).text();
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).toMatch(/\nwalletflow_sdk_metrics_up 0\n$/);
});
