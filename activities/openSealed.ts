import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { SealedValueError } from '../src/crypto/sealing';
import { type ApiFailure, FAILURE_TYPES } from '../src/domain/apiFailure';
import type { Sealed } from '../src/domain/sealed';
import type { ActivityDeps } from './deps';

/**
 * Opens a value that is sealed for the flow that the activity works for. One that does not open is a question to a person,
 * who may put a missing key back; trying again by itself would help nobody.
 */
export async function openSealed(
  { opener }: Pick<ActivityDeps, 'opener'>,
  sealed: Sealed,
  field: string,
): Promise<string> {
  const { workflowExecution, activityType } = Context.current().info;
  try {
    return await opener.open(sealed, { flow: workflowExecution!.workflowId, field });
  } catch (error) {
    if (!(error instanceof SealedValueError)) throw error;
    const details: ApiFailure = {
      code: 0,
      name: 'SealedValueUnreadable',
      status: 0,
      endpoint: activityType,
      kind: 'attention',
      remedy: error.message,
      tainted: false,
    };
    throw ApplicationFailure.nonRetryable(error.message, FAILURE_TYPES.refused, details);
  }
}
