import { sleep } from '@temporalio/workflow';
import { LONG_LOOK_UP_WAITS_MS, LOOK_UP_WAITS_MS } from '../../src/domain/retryRules';

/**
 * Calls `find` several times until it finds something, because the API's lists may lag behind.
 * @param isPatient makes two more attempts; for a cancelled flow, which reports its outcome without asking for a
 * decision
 */
export async function lookUp<R>(find: () => Promise<R | undefined>, isPatient: boolean): Promise<R | undefined> {
  for (const wait of isPatient ? LONG_LOOK_UP_WAITS_MS : LOOK_UP_WAITS_MS) {
    if (wait > 0) await sleep(wait);
    const found = await find();
    if (found !== undefined) return found;
  }
  return undefined;
}
