import { ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { Sealed } from '../../../src/domain/sealed';

interface Activities {
  /** Opens the note and fails with an error that contains its text. */
  quote(note: Sealed): Promise<never>;
}

const { quote } = proxyActivities<Activities>({ startToCloseTimeout: '10 seconds', retry: { maximumAttempts: 1 } });

/** Takes a sealed value and fails: through the activity's error, or with its own error that contains the clear input. */
export async function sealedNote(note: Sealed, clear: string, failure: 'activity' | 'workflow'): Promise<void> {
  if (failure === 'activity') await quote(note);
  throw ApplicationFailure.nonRetryable(`The workflow quotes: ${clear}`, 'Quoted', { clear });
}
