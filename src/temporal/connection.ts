import { Client, Connection, type ConnectionOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { CallRetries } from './callRetries';
import { dataConverter } from './dataConverter';

const DEFAULT_ADDRESS = '127.0.0.1:7233';
const DEFAULT_NAMESPACE = 'default';

/** Where a Temporal server listens, as the embedded one reports it. */
export interface TemporalTarget {
  /** `host:port` */
  address: string;
  namespace: string;
}

export interface ConnectOptions extends TemporalTarget {
  apiKey?: string;
  tls?: ConnectionOptions['tls'];
  metadata?: Record<string, string>;
}

/** The server can't be reached, or refuses the credentials. */
export class TemporalUnreachableError extends Error {
  override readonly name = 'TemporalUnreachableError';

  constructor(address: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `Can't connect to Temporal at ${address}: ${reason}. ` +
        'Check TEMPORAL_ADDRESS, TEMPORAL_API_KEY, TEMPORAL_TLS and the profile in TEMPORAL_PROFILE.',
      { cause },
    );
  }
}

/**
 * What to connect to and with: Temporal's own TOML profile, overridden by its environment variables (`TEMPORAL_ADDRESS`,
 * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS…`), overridden by `target`. With neither: 127.0.0.1:7233,
 * namespace `default`. An API key implies TLS unless TLS is switched off.
 */
export function connectOptions(target: Partial<TemporalTarget> = {}): ConnectOptions {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const { apiKey, tls, metadata } = connectionOptions;
  return {
    address: target.address ?? connectionOptions.address ?? DEFAULT_ADDRESS,
    namespace: target.namespace ?? namespace ?? DEFAULT_NAMESPACE,
    ...(typeof apiKey === 'string' && { apiKey }),
    ...(tls !== undefined && { tls: tls as ConnectionOptions['tls'] }),
    ...(metadata && { metadata: metadata as Record<string, string> }),
  };
}

/**
 * A client whose calls connect by themselves, each once: for a process that has to answer, and soon, while Temporal is down.
 * Its caller is one that sends again.
 * @param codecs see `dataConverter`
 */
export function lazyClient(codecs: readonly PayloadCodec[], target?: Partial<TemporalTarget>): Client {
  const { namespace, ...options } = connectOptions(target);
  // Without the SDK's own retries, which go on after the answer and throw when the connection is closed meanwhile.
  const connection = Connection.lazy({ ...options, interceptors: [] });
  return new Client({ connection, namespace, dataConverter: dataConverter(codecs) });
}

/**
 * @param codecs see `dataConverter`
 * @throws TemporalUnreachableError
 */
export async function connectClient(
  codecs: readonly PayloadCodec[],
  target?: Partial<TemporalTarget>,
): Promise<Client> {
  const { namespace, ...options } = connectOptions(target);
  const retries = new CallRetries();
  const interceptors = [makeGrpcRetryInterceptor(retries)];
  const connection = await Connection.connect({ ...options, interceptors }).catch((error: unknown) => {
    throw new TemporalUnreachableError(options.address, error);
  });
  const close = connection.close.bind(connection);
  connection.close = () => retries.end().then(close);
  return new Client({ connection, namespace, dataConverter: dataConverter(codecs) });
}
