import { sleep } from '@temporalio/workflow';
import type { Patience } from '../../src/domain/effectCommands';
import { LONG_LOOK_UP_WAITS_MS, LOOK_UP_WAITS_MS } from '../../src/domain/retryRules';

const WAITS_MS: Record<Patience, readonly number[]> = {
  once: [0],
  short: LOOK_UP_WAITS_MS,
  long: LONG_LOOK_UP_WAITS_MS,
};

/**
 * A lookup that found nothing and did not see everything: a list has too many pages, or rows that cannot be read. It
 * proves nothing.
 */
export class IncompleteLookUp extends Error {
  override readonly name = 'IncompleteLookUp';
}

/** Calls `find` several times until it finds something, because the API's lists may lag behind. */
export async function lookUp<R>(find: () => Promise<R | undefined>, patience: Patience): Promise<R | undefined> {
  for (const wait of WAITS_MS[patience]) {
    if (wait > 0) await sleep(wait);
    const found = await find();
    if (found !== undefined) return found;
  }
  return undefined;
}
