/**
 * A backend's code about outcomes. `npm run lint` checks it here, and test/unit/exports.test.ts compiles it as an ES
 * module and as CommonJS. Each line below a `@ts-expect-error` must not compile.
 */

import type { FlowHandle, Outcome, ResultOf } from 'walletflow';

type Handle = FlowHandle<ResultOf<'transfer'>>;

export async function transactionOf(handle: Handle): Promise<string | undefined> {
  const outcome = await handle.result();
  // @ts-expect-error -- only a completed flow always has a result
  void outcome.result;
  // @ts-expect-error -- a completed flow has no reason
  void outcome.reason;
  if (outcome.status === 'completed') return outcome.result.transactionId;
  return 'result' in outcome ? outcome.result.transactionId : undefined;
}

export function textOf(outcome: Outcome): string {
  switch (outcome.status) {
    case 'completed':
      // @ts-expect-error -- nobody cancelled it
      return outcome.by?.subject ?? '';
    case 'denied':
    case 'failed':
      return `${outcome.code ?? ''} ${outcome.reason} ${outcome.remedy}`;
    case 'cancelled':
      // @ts-expect-error -- not an error of the API
      void outcome.code;
      return `${outcome.by?.subject ?? 'the API'}: ${outcome.reason}`;
    case 'expired':
      // @ts-expect-error -- nobody cancelled it
      void outcome.by;
      return `${outcome.reason} ${outcome.remedy}`;
    default:
      return outcome satisfies never;
  }
}

/** The outcome is also in the progress. */
export async function reasonOf(handle: Handle): Promise<string | undefined> {
  const { outcome } = await handle.progress();
  // @ts-expect-error -- the flow may still run
  void outcome.status;
  return outcome && outcome.status !== 'completed' ? outcome.reason : undefined;
}
