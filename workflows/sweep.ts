import { log, workflowInfo } from '@temporalio/workflow';
import type { ApiActivities } from '../activities';
import { entityOf } from '../src/domain/flowId';
import {
  MAX_SWEEP_PAGES,
  SWEEP_ENTRIES,
  sweepDepthMs,
  type SweepEntry,
  type SweepPage,
  type SweepRequest,
} from '../src/domain/sweep';
import { apiActivities, localActivities } from './kit/activities';
import { apiFailure, isTimeout } from './kit/failure';

/** Longer than a list takes while many requests wait for a permit. */
const PAGE_TIMEOUT = '1 minute';

type ReadPage = (api: ApiActivities, request: SweepRequest) => Promise<SweepPage>;

const READ_PAGE: Record<SweepEntry, ReadPage> = {
  transactions: (api, request) => api.sweepTransactions(request),
};

/**
 * Looks through the lists of the API for news of all waiting flows, and tells each flow what it acts on. A schedule starts
 * it (docs/architecture.md#the-sweep). A list that cannot be read is left to the next sweep.
 */
export async function sweep(): Promise<void> {
  const api = apiActivities(entityOf(workflowInfo().workflowId), { scheduleToCloseTimeout: PAGE_TIMEOUT });
  for (const entry of Object.keys(SWEEP_ENTRIES) as SweepEntry[]) {
    if ((await localActivities.countWaiting(entry)) > 0)
      await sweepList(entry, (request) => READ_PAGE[entry](api, request));
  }
}

async function sweepList(entry: SweepEntry, readPage: (request: SweepRequest) => Promise<SweepPage>): Promise<void> {
  const depthMs = sweepDepthMs(Math.random());
  let seen = 0;
  let pageAfter: string | undefined;
  for (let pages = 0; pages < MAX_SWEEP_PAGES; pages++) {
    try {
      const page = await readPage({ depthMs, ...(pageAfter !== undefined && { pageAfter }) });
      seen += page.seen;
      if (seen >= page.waiting) return;
      ({ pageAfter } = page);
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure && !isTimeout(error)) throw error;
      log.warn('A list could not be swept', { entry, code: failure?.code, error: failure?.name ?? 'Timeout' });
      return;
    }
    if (pageAfter === undefined) return;
  }
}
