import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';

/** Runs work until a condition holds, then cancels it. @returns undefined if the work was interrupted */
export async function unlessInterrupted<T>(
  isInterrupted: () => boolean,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const working = new CancellationScope();
  const watch = new CancellationScope();
  void watch
    .run(() => condition(isInterrupted))
    .then(
      () => working.cancel(),
      () => undefined,
    );
  try {
    return await working.run(work);
  } catch (error) {
    if (!isCancellation(error) || !isInterrupted()) throw error;
    return undefined;
  } finally {
    watch.cancel();
  }
}
