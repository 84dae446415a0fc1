import { sleep } from '@temporalio/workflow';
import { LOOK_UP_WAITS_MS, PATIENT_LOOK_UP_WAITS_MS } from '../../src/domain/retryRules';

/**
 * Looks several times, until something is found: what was made may be listed late.
 * @param patient longer, where nobody will be asked afterwards
 */
export async function lookUp<R>(find: () => Promise<R | undefined>, patient: boolean): Promise<R | undefined> {
  for (const wait of patient ? PATIENT_LOOK_UP_WAITS_MS : LOOK_UP_WAITS_MS) {
    if (wait > 0) await sleep(wait);
    const found = await find();
    if (found !== undefined) return found;
  }
  return undefined;
}
