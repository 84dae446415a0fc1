import { NativeConnection } from '@temporalio/worker';
import { connectOptions, type TemporalTarget, TemporalUnreachableError } from './connection';

/**
 * Connects a worker. It is not in `connection.ts`, because a backend must not load the worker package (native code,
 * webpack).
 *
 * @throws TemporalUnreachableError
 */
export async function connectWorker(
  target?: Partial<TemporalTarget>,
): Promise<{ connection: NativeConnection; namespace: string }> {
  const { namespace, ...options } = connectOptions(target);
  const connection = await NativeConnection.connect(options).catch((error: unknown) => {
    throw new TemporalUnreachableError(options.address, error);
  });
  return { connection, namespace };
}
