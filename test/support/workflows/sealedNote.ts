import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { Sealed } from '../../../src/domain/sealed';

interface Activities {
  /** Opens the note and fails with an error that quotes it. */
  quote(note: Sealed): Promise<never>;
}

const { quote } = proxyActivities<Activities>({ startToCloseTimeout: '10 seconds', retry: { maximumAttempts: 1 } });

/** Carries a sealed value; fails by the activity's error, or by one of its own that quotes its clear input. */
export async function sealedNote(note: Sealed, clear: string, failure: 'activity' | 'workflow'): Promise<void> {
  if (failure === 'activity') await quote(note);
  throw ApplicationFailure.nonRetryable(`The workflow quotes: ${clear}`, 'Quoted', { clear });
}
