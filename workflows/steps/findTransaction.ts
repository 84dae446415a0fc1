import { workflowInfo } from '@temporalio/workflow';
import type { EffectRef } from '../../src/domain/effect';
import type { LookUpRange } from '../../src/domain/effectCommands';
import { LOOK_UP_MAX_CALL_PAGES, LOOK_UP_MAX_PAGES } from '../../src/domain/retryRules';
import { isCall, type SentTransaction } from '../../src/domain/sentTransaction';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import { mayMove } from '../../src/domain/transactionState';
import type { Flow } from '../kit/flow';
import { IncompleteLookUp } from '../kit/lookUp';

/** How far lookups go back before the first start of the flow, because clocks differ. */
const LOOK_BACK_MS = 24 * 60 * 60_000;

/**
 * Makes one lookup through the wallet's transfers to the destination, or through its contract calls, newest first. If the
 * newest one of the effect has failed, one of an earlier ordinal may still have moved the amount. @throws IncompleteLookUp
 */
export async function findTransaction(
  flow: Flow,
  effect: EffectRef,
  sent: SentTransaction,
  range: LookUpRange,
): Promise<TransactionFacts | undefined> {
  const window = range === 'anyTime' ? {} : { from: lookBackFrom() };
  const maxPages = isCall(sent) ? LOOK_UP_MAX_CALL_PAGES : LOOK_UP_MAX_PAGES;
  let pageAfter: string | undefined;
  let isComplete = true;
  let failed: TransactionFacts | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await flow.api.findTransaction(effect, sent, { ...window, ...(pageAfter && { pageAfter }) });
    if (page.found && mayMove(page.found.state)) return page.found;
    failed ??= page.found;
    if (page.isComplete === false) isComplete = false;
    ({ pageAfter } = page);
    if (!pageAfter && isComplete) return failed;
    if (!pageAfter) throw new IncompleteLookUp('Some transactions cannot be read');
  }
  throw new IncompleteLookUp(`More than ${maxPages} pages of transactions`);
}

/** ISO 8601. The start of the flow is the server's time, which a reset keeps. */
function lookBackFrom(): string {
  return new Date(workflowInfo().startTime.getTime() - LOOK_BACK_MS).toISOString();
}
