import { type Client, Connection, type ConnectionOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { StoppableRetries } from './callRetries';
import { createClient } from './client';

const DEFAULT_ADDRESS = '127.0.0.1:7233';
const DEFAULT_NAMESPACE = 'default';

/** The address and namespace of a Temporal server. */
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

/** The server cannot be reached, or rejects the credentials. */
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
 * The options of a connection. `target` takes precedence over Temporal's environment variables (`TEMPORAL_ADDRESS`,
 * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY`, `TEMPORAL_TLS…`), and these over its TOML profile. The defaults are
 * 127.0.0.1:7233 and the namespace `default`. With an API key, TLS is on unless it is switched off.
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
 * A client that connects with its first call and does not retry calls. It is for a process that must respond quickly even
 * if Temporal is down, and whose own callers retry.
 * @param codecs see `dataConverter`
 */
export function lazyClient(codecs: readonly PayloadCodec[], target?: Partial<TemporalTarget>): Client {
  const { namespace, ...options } = connectOptions(target);
  // Without interceptors there are no retries of the SDK. They would continue after this process has responded.
  const connection = Connection.lazy({ ...options, interceptors: [] });
  return createClient(codecs, { connection, namespace });
}

/**
 * Connects a client. Closing its connection also ends the retries of its calls.
 * @param codecs see `dataConverter`
 * @throws TemporalUnreachableError
 */
export async function connectClient(
  codecs: readonly PayloadCodec[],
  target?: Partial<TemporalTarget>,
): Promise<Client> {
  const { namespace, ...options } = connectOptions(target);
  const retries = new StoppableRetries();
  const interceptors = [makeGrpcRetryInterceptor(retries)];
  const connection = await Connection.connect({ ...options, interceptors }).catch((error: unknown) => {
    throw new TemporalUnreachableError(options.address, error);
  });
  const close = connection.close.bind(connection);
  connection.close = () => retries.stop().then(close);
  return createClient(codecs, { connection, namespace });
}
