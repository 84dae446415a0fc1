import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { SealedValueError } from '../src/crypto/sealing';
import { type ApiFailure, FAILURE_TYPES } from '../src/domain/apiFailure';
import type { Sealed } from '../src/domain/sealed';
import type { ActivityDeps } from './deps';

/**
 * Opens a value that is sealed for the workflow of this activity.
 * @throws ApplicationFailure `ApiRefused` of the kind `attention`: an operator can put a missing key back, but retries
 *   would not help
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
