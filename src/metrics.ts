import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { OutcomeStatus } from './domain/outcome';
import { readSdkMetrics } from './temporal/sdkMetrics';

/** Bucket bounds: from the response of a local emulator to the client's timeout of 20 s. */
const REQUEST_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
/** Bucket bounds: from no wait at all to bulk runs that wait for minutes. */
const PERMIT_WAIT_SECONDS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900];

/** One request to the API, with or without a response. */
export interface RequestSample {
  entity: string;
  /** Operation id of the contract. */
  endpoint: string;
  /** HTTP status; 0 without a response. */
  status: number;
  /** The API's error code; 0 for a response without a code. */
  code: number;
  /** Time from sending the request to the end of the response. */
  seconds: number;
}

/**
 * The metrics of a process. Labels are entities, endpoints, buckets, flow types, statuses and codes. None of them
 * identifies a flow, a wallet or a user, and their number does not grow with traffic.
 */
export interface Metrics {
  apiRequest(sample: RequestSample): void;
  permitWait(bucket: string, seconds: number): void;
  /** The API responded 429. */
  throttled(endpoint: string): void;
  incidentOpened(entity: string): void;
  incidentClosed(entity: string): void;
  /** Temporal refused a poll for tasks. */
  pollRefused(): void;
  /** @param flow name of the flow, such as `transfer` */
  flowEnded(flow: string, status: OutcomeStatus): void;
  /** @param result a `WebhookResult` of the gateway */
  webhook(entity: string, result: string): void;
  contentType: string;
  /** All metrics in the text format of Prometheus, with those of the SDK at the end. */
  text(): Promise<string>;
}

/**
 * Creates the metrics of a process. Their names begin with `walletflow_`, `process_` and `nodejs_`.
 * @param sdkAddress `host:port` of the SDK's exporter (`sdkMetrics`), for processes that run Workers. Its metrics, whose
 *   names begin with `temporal_`, are appended.
 */
export function createMetrics({ sdkAddress }: { sdkAddress?: string } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'walletflow_api_requests_total',
    help: 'Requests to the API by HTTP status (0: no response) and code of the API (0: none)',
    labelNames: ['entity', 'endpoint', 'status', 'code'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'walletflow_api_request_seconds',
    help: 'Time from sending a request to the end of its response',
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
    help: 'Requests that the API refused with 429',
    labelNames: ['endpoint'],
    registers,
  });
  const incidents = new Counter({
    name: 'walletflow_incidents_total',
    help: 'Incidents: the API rejected the credentials of an entity, and its requests were stopped',
    labelNames: ['entity'],
    registers,
  });
  const openIncidents = new Gauge({
    name: 'walletflow_incident_open',
    help: '1 while the requests of the entity are stopped',
    labelNames: ['entity'],
    registers,
  });
  const flowsEnded = new Counter({
    name: 'walletflow_flows_ended_total',
    help: 'Flows that ended, by outcome',
    labelNames: ['flow', 'status'],
    registers,
  });
  const refusedPolls = new Counter({
    name: 'walletflow_polls_refused_total',
    help: 'Polls for tasks that the Temporal server refused, because a limit is reached',
    registers,
  });
  const webhooks = new Counter({
    name: 'walletflow_webhooks_total',
    help: 'Received webhooks, by result',
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
    pollRefused: () => refusedPolls.inc(),
    flowEnded: (flow, status) => flowsEnded.inc({ flow, status }),
    webhook: (entity, result) => webhooks.inc({ entity, result }),
    contentType: registry.contentType,
    async text() {
      const [processText, sdkPage] = await Promise.all([registry.metrics(), sdkAddress ? sdkText(sdkAddress) : '']);
      return processText + sdkPage;
    },
  };
}

/** The SDK's metrics, and a metric that says whether they could be read. A scrape does not fail without them. */
async function sdkText(address: string): Promise<string> {
  const page = await readSdkMetrics(address);
  const up = [
    '# HELP walletflow_sdk_metrics_up Whether the metrics of the Temporal SDK could be read',
    '# TYPE walletflow_sdk_metrics_up gauge',
    `walletflow_sdk_metrics_up ${page === undefined ? 0 : 1}`,
  ];
  return `${up.join('\n')}\n${page ?? ''}`;
}
