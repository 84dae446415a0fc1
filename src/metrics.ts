import { createServer, type AddressInfo } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { OutcomeStatus } from './domain/outcome';

/** From a local emulator's answer to the client's timeout of 20 s. */
const REQUEST_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
/** Below one window nobody waits long; a bulk run waits for minutes. */
const PERMIT_WAIT_SECONDS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900];
/** A scrape must not hang on the SDK's exporter. */
const SDK_TIMEOUT_MS = 2_000;

/** One answered, or unanswered, request to the API. */
export interface RequestSample {
  entity: string;
  /** Operation id of the contract. */
  endpoint: string;
  /** HTTP status; 0 where no answer came. */
  status: number;
  /** Code of the API; 0 where it gave none. */
  code: number;
  seconds: number;
}

/**
 * What a process counts. Labels are names of entities, endpoints, buckets and flows, statuses and codes: nothing that
 * names a flow, a wallet or a person (DESIGN rule 10), and nothing that grows with traffic.
 */
export interface Metrics {
  apiRequest(sample: RequestSample): void;
  permitWait(bucket: string, seconds: number): void;
  /** The API answered 429. */
  throttled(endpoint: string): void;
  incidentOpened(entity: string): void;
  incidentClosed(entity: string): void;
  flowEnded(flow: string, status: OutcomeStatus): void;
  /** @param result what became of it, a `WebhookResult` of the gateway */
  webhook(entity: string, result: string): void;
  contentType: string;
  /** Everything in the text format of Prometheus, the SDK's own metrics behind ours. */
  text(): Promise<string>;
}

/**
 * @param sdkAddress `host:port` where the SDK's exporter listens (`sdkMetrics`), for processes that run Workers. Its
 *   page is appended: its names begin with `temporal_`, ours with `walletflow_`, `process_` and `nodejs_`.
 */
export function createMetrics({ sdkAddress }: { sdkAddress?: string } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'walletflow_api_requests_total',
    help: 'Requests to the API by HTTP status (0: no answer) and code of the API (0: none)',
    labelNames: ['entity', 'endpoint', 'status', 'code'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'walletflow_api_request_seconds',
    help: 'Time from sending a request to its whole answer',
    labelNames: ['entity', 'endpoint'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const permitWaits = new Histogram({
    name: 'walletflow_permit_wait_seconds',
    help: 'Time that a poll waited for a permit of its bucket',
    labelNames: ['bucket'],
    buckets: PERMIT_WAIT_SECONDS,
    registers,
  });
  const throttles = new Counter({
    name: 'walletflow_throttled_total',
    help: 'Requests that the API answered with 429',
    labelNames: ['endpoint'],
    registers,
  });
  const incidents = new Counter({
    name: 'walletflow_incidents_total',
    help: 'Times that all requests of an entity were stopped because its credentials or access were broken',
    labelNames: ['entity'],
    registers,
  });
  const openIncidents = new Gauge({
    name: 'walletflow_incident_open',
    help: '1 while nothing is sent for the entity',
    labelNames: ['entity'],
    registers,
  });
  const flowsEnded = new Counter({
    name: 'walletflow_flows_ended_total',
    help: 'Flows that ended, by outcome',
    labelNames: ['flow', 'status'],
    registers,
  });

  const webhooks = new Counter({
    name: 'walletflow_webhooks_total',
    help: 'Webhooks that came in, by what became of them',
    labelNames: ['entity', 'result'],
    registers,
  });

  return {
    apiRequest({ entity, endpoint, status, code, seconds }) {
      requests.inc({ entity, endpoint, status, code });
      requestSeconds.observe({ entity, endpoint }, seconds);
    },
    permitWait: (bucket, seconds) => permitWaits.observe({ bucket }, seconds),
    throttled: (endpoint) => throttles.inc({ endpoint }),
    incidentOpened(entity) {
      incidents.inc({ entity });
      openIncidents.set({ entity }, 1);
    },
    incidentClosed: (entity) => openIncidents.set({ entity }, 0),
    flowEnded: (flow, status) => flowsEnded.inc({ flow, status }),
    webhook: (entity, result) => webhooks.inc({ entity, result }),
    contentType: registry.contentType,
    async text() {
      const [own, sdk] = await Promise.all([registry.metrics(), sdkAddress ? sdkText(sdkAddress) : '']);
      return own + sdk;
    },
  };
}

/** Telemetry option of `Runtime.install` that makes the SDK's exporter listen where `createMetrics` reads it. */
export function sdkMetrics(address: string): MetricsExporterConfig {
  return {
    attachServiceName: false,
    // The units and suffixes that Prometheus asks for.
    prometheus: { bindAddress: address, useSecondsForDurations: true, unitSuffix: true, countersTotalSuffix: true },
  };
}

/** A loopback address that is free now: the SDK binds to an address that it is given, and tells of no other. */
export async function freeLoopbackAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

/** The SDK's page, and whether it could be read: a scrape never fails for want of it. */
async function sdkText(address: string): Promise<string> {
  const page = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(SDK_TIMEOUT_MS) })
    .then((response) => (response.ok ? response.text() : undefined))
    .catch(() => undefined);
  const up = [
    '# HELP walletflow_sdk_metrics_up Whether the metrics of the Temporal SDK could be read',
    '# TYPE walletflow_sdk_metrics_up gauge',
    `walletflow_sdk_metrics_up ${page === undefined ? 0 : 1}`,
  ];
  return `${up.join('\n')}\n${page ?? ''}`;
}
