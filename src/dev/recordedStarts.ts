import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { envelopeInterceptors } from '../temporal/envelopes';

export interface RecordingClient {
  client: Client;
  /** Ids of the workflows for which the client sent a signal-with-start. */
  started: ReadonlySet<string>;
}

/**
 * A client over the same connection that records what it starts. `advance` has to move sessions and other long-running
 * workflows that flows start, and visibility lists them too late.
 */
export function recordStarts({ connection, options }: Client): RecordingClient {
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
        ...envelopeInterceptors.workflow,
      ],
      schedule: envelopeInterceptors.schedule,
    },
  });
  return { client, started };
}
