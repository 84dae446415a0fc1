import { sleep } from '@temporalio/workflow';
import type { Patience } from '../../src/domain/effectCommands';
import { LONG_LOOK_UP_WAITS_MS, LOOK_UP_WAITS_MS } from '../../src/domain/retryRules';
import { apiFailure } from './failure';
import { LoginEnded } from './loginEnded';

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

/** Lookups that found nothing are conclusive if the API responded to each of them with everything that it has. */
export type LookUpResult<R> = { found: R } | { isConclusive: boolean };

/**
 * Calls `find` several times until it finds something, because the API's lists may lag behind. Ends early if the user's
 * tokens no longer work and the login has failed: each further call would only ask for the same login again.
 * @throws every error that is not the API's and not `IncompleteLookUp`
 */
export async function lookUp<R>(find: () => Promise<R | undefined>, patience: Patience): Promise<LookUpResult<R>> {
  let isConclusive = true;
  for (const wait of WAITS_MS[patience]) {
    if (wait > 0) await sleep(wait);
    try {
      const found = await find();
      if (found !== undefined) return { found };
    } catch (error) {
      if (error instanceof LoginEnded) return { isConclusive: false };
      if (!apiFailure(error) && !(error instanceof IncompleteLookUp)) throw error;
      isConclusive = false;
    }
  }
  return { isConclusive };
}
