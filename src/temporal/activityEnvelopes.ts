import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { FAILURE_TYPES } from '../domain/apiFailure';
import { type Envelope, envelope, openActivity } from '../domain/envelope';
import { causeOf } from '../domain/untrusted';

/**
 * Runs an activity only if a workflow of this installation and of this worker's entity scheduled it, in this run: anyone
 * who can write to the namespace can schedule activities from a workflow of their own, start them without any workflow,
 * and send copies to the workers of another entity. It is the outermost interceptor, so nothing else happens before it
 * refuses.
 */
export class ActivityEnvelopes implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly entity: string,
  ) {}

  /** @throws ApplicationFailure `Untrusted`, without a retry */
  async execute(
    input: ActivityExecuteInput,
    next: Next<ActivityInboundCallsInterceptor, 'execute'>,
  ): Promise<Envelope> {
    const { activityType, workflowExecution } = this.context.info;
    const opened = openActivity(input.args, this.context.info, this.entity);
    if (!workflowExecution || 'distrust' in opened) {
      const cause = 'distrust' in opened ? causeOf(opened.distrust) : 'it belongs to no workflow';
      this.context.log.warn('Refused an activity that is not trusted', { cause });
      const message = `the activity was not scheduled by this installation: ${cause}`;
      throw ApplicationFailure.nonRetryable(message, FAILURE_TYPES.untrusted);
    }
    return envelope('result', activityType, [await next({ ...input, args: opened.args })]);
  }
}
