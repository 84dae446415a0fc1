import type { MetricsExporterConfig } from '@temporalio/worker';
import { type AddressInfo, createServer } from 'node:net';

/** Timeout for reading the SDK's metrics, so that a scrape does not hang. */
const TIMEOUT_MS = 2_000;

/** The option of `Runtime.install` that makes the SDK's exporter listen on the address that `readSdkMetrics` reads. */
export function sdkMetrics(address: string): MetricsExporterConfig {
  return {
    attachServiceName: false,
    // The units and suffixes that Prometheus recommends.
    prometheus: { bindAddress: address, useSecondsForDurations: true, unitSuffix: true, countersTotalSuffix: true },
  };
}

/** A loopback address that is free now. The SDK's exporter needs a port, because it does not report one that it chose. */
export async function freeLoopbackAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

/** The SDK's metrics in the text format of Prometheus; undefined if the exporter does not respond. */
export function readSdkMetrics(address: string): Promise<string | undefined> {
  return fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((response) => (response.ok ? response.text() : undefined))
    .catch(() => undefined);
}
