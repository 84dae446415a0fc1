import { CancellationScope } from '@temporalio/workflow';
import type { ApiFailure } from '../../src/domain/apiFailure';

/**
 * Asks for a decision because something that the flow waits for cannot be read. If the API responds, but not in a form that
 * can be read, the flow reads on meanwhile, and the decision is no longer needed once that succeeds.
 * @param readOn polls with `untilReadable`
 * @throws the error of `readOn`: another reason why it cannot be read
 */
export async function askAboutRead<R, C>(
  failure: ApiFailure,
  ask: () => Promise<C>,
  readOn: () => Promise<R>,
): Promise<{ result: R } | { choice: C }> {
  // A poll retries every other transient failure without limit.
  if (failure.kind !== 'transient') return { choice: await ask() };
  return CancellationScope.cancellable(async () => {
    const asking = ask().then((choice) => ({ choice }));
    const reading = readOn().then((result) => ({ result }));
    try {
      return await Promise.race([reading, asking]);
    } finally {
      CancellationScope.current().cancel();
      await Promise.allSettled([asking, reading]);
    }
  });
}
