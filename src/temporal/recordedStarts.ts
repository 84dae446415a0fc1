import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';

/** A client, and the ids of the workflows that were signalled with start through it. */
export interface RecordedClient {
  client: Client;
  started: ReadonlySet<string>;
}

/**
 * A client over the same connection that remembers what it started: sessions and other entity workflows that flows start
 * belong to those that `advance` moves through time, and visibility is too slow a list.
 */
export function recordStarts({ connection, options }: Client): RecordedClient {
  const started = new Set<string>();
  const client = new Client({
    connection,
    namespace: options.namespace,
    dataConverter: options.loadedDataConverter as DataConverter,
    interceptors: {
      workflow: [
        {
          signalWithStart(input, next) {
            started.add(input.options.workflowId);
            return next(input);
          },
        },
      ],
    },
  });
  return { client, started };
}
