import { CancellationScope } from '@temporalio/workflow';
import { apiFailure } from './failure';

export interface ReadOptions {
  /** See `apiActivities`. */
  untilReadable?: true;
}

type Settled<R> = { result: R } | { error: unknown };

/**
 * Polls something that the flow waits for, and asks for a decision if it cannot be read. If the API responds, but not in a
 * form that can be read, the flow polls on meanwhile, and needs no decision once that succeeds.
 * @param ask returns when a person decided to read again; throws errors that are not about reading
 */
export async function readOrAsk<R>(
  read: (options: ReadOptions) => Promise<R>,
  ask: (error: unknown) => Promise<void>,
): Promise<R> {
  for (;;) {
    let outcome: Settled<R> | 'decided' = await settled(read({}));
    while (outcome !== 'decided' && 'error' in outcome) outcome = await readOn(outcome.error, read, ask);
    if (outcome !== 'decided') return outcome.result;
  }
}

async function readOn<R>(
  error: unknown,
  read: (options: ReadOptions) => Promise<R>,
  ask: (error: unknown) => Promise<void>,
): Promise<Settled<R> | 'decided'> {
  const decided = () => ask(error).then(() => 'decided' as const);
  // A poll retries every other transient failure without limit, so this one is a response that cannot be read.
  if (apiFailure(error)?.kind !== 'transient') return decided();
  return CancellationScope.cancellable(async () => {
    const asking = decided();
    const reading = settled(read({ untilReadable: true }));
    try {
      return await Promise.race([asking, reading]);
    } finally {
      CancellationScope.current().cancel();
      await Promise.allSettled([asking, reading]);
    }
  });
}

function settled<R>(promise: Promise<R>): Promise<Settled<R>> {
  return promise.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}
