import type { ScheduleClientInterceptor, WorkflowClientInterceptor } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { envelope } from '../domain/envelope';
import { trustedAnswer } from './untrustedAnswer';

/** Put everything that a client sends to a workflow into an envelope, which the workflow's interceptors expect. */
export const envelopeInterceptors: { workflow: WorkflowClientInterceptor[]; schedule: ScheduleClientInterceptor[] } = {
  workflow: [
    {
      startWithDetails(input, next) {
        const { args, workflowId } = input.options;
        const options = { ...input.options, args: [envelope('start', input.workflowType, args, workflowId)] };
        return next({ ...input, options });
      },
      signal: (input, next) => next({ ...input, args: [envelope('signal', input.signalName, input.args)] }),
      signalWithStart(input, next) {
        const { args, workflowId } = input.options;
        const options = { ...input.options, args: [envelope('start', input.workflowType, args, workflowId)] };
        return next({ ...input, options, signalArgs: [envelope('signal', input.signalName, input.signalArgs)] });
      },
      startUpdate(input, next) {
        const updateId = input.options.updateId ?? randomUUID();
        const args = [envelope('update', input.updateName, input.args, updateId)];
        return next({ ...input, args, options: { ...input.options, updateId } });
      },
      async query(input, next) {
        const answer = await next({ ...input, args: [envelope('query', input.queryType, input.args)] });
        return trustedAnswer(answer, input.workflowExecution.workflowId!);
      },
    },
  ],
  schedule: [
    {
      create(input, next) {
        const { action } = input.options;
        const args = [envelope('schedule', action.workflowType, action.args, action.workflowId)];
        return next({ ...input, options: { ...input.options, action: { ...action, args } } });
      },
    },
  ],
};
