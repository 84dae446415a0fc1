import {
  ActivityFailure,
  ApplicationFailure,
  log,
  uuid4,
  workflowInfo,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import { FAILURE_TYPES } from '../../src/domain/apiFailure';
import { activityEnvelope, envelope, openEnvelope, openStart } from '../../src/domain/envelope';
import { isFlowName } from '../../src/domain/flowNames';
import type { Outcome } from '../../src/domain/outcome';
import { causeOf, type Distrust } from '../../src/domain/untrusted';
import { afterLocalActivities, isLocalActivityRunning, whileRunning } from './localActivities';
import { refusedStart } from './refusedStart';

/**
 * Puts everything that a workflow sends into an envelope, and lets nothing in that has none: anyone who can write to the
 * namespace can start workflows, send messages and complete activities
 * (docs/security.md#write-access-to-the-namespace). They refuse before any other code of the workflow runs.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [
      {
        async execute(input, next) {
          const opened = openStart(input.args, workflowInfo());
          return 'distrust' in opened ? refuseStart(opened.distrust) : next({ ...input, args: opened.args });
        },
        async handleSignal(input, next) {
          const opened = openEnvelope(input.args, 'signal', input.signalName);
          if ('args' in opened) {
            if (isLocalActivityRunning()) await afterLocalActivities();
            return next({ ...input, args: opened.args });
          }
          log.warn('Dropped a signal that is not trusted', { signal: input.signalName, distrust: opened.distrust });
        },
        validateUpdate(input, next) {
          next({ ...input, args: openUpdate(input) });
        },
        async handleUpdate(input, next) {
          if (isLocalActivityRunning()) await afterLocalActivities();
          return next({ ...input, args: openUpdate(input) });
        },
        async handleQuery(input, next) {
          const opened = openEnvelope(input.args, 'query', input.queryName);
          if ('distrust' in opened) throw refusal(`query ${input.queryName}`, opened.distrust);
          return next({ ...input, args: opened.args });
        },
      },
    ],
    outbound: [
      {
        async scheduleActivity(input, next) {
          // Temporal's own ids are numbers, which another run uses again. The result of an activity of that run would
          // decrypt in this one.
          const activityId = uuid4();
          const call = {
            ...input,
            options: { ...input.options, activityId },
            args: [activityEnvelope(input.activityType, input.args, workflowInfo().runId)],
          };
          try {
            return openResult(await next(call), input.activityType, activityId);
          } finally {
            if (isLocalActivityRunning()) await afterLocalActivities();
          }
        },
        async startTimer(input, next) {
          try {
            return await next(input);
          } finally {
            if (isLocalActivityRunning()) await afterLocalActivities();
          }
        },
        async scheduleLocalActivity(input, next) {
          const args = [activityEnvelope(input.activityType, input.args, workflowInfo().runId)];
          const result = await whileRunning(() => next({ ...input, args }));
          return openResult(result, input.activityType, String(input.seq));
        },
        async startChildWorkflowExecution(input, next) {
          const { args, workflowId } = input.options;
          const options = { ...input.options, args: [envelope('start', input.workflowType, args, workflowId)] };
          return next({ ...input, options });
        },
        async signalWorkflow(input, next) {
          try {
            return await next({ ...input, args: [envelope('signal', input.signalName, input.args)] });
          } finally {
            if (isLocalActivityRunning()) await afterLocalActivities();
          }
        },
        async continueAsNew(input, next) {
          const { workflowType } = input.options;
          return next({ ...input, args: [envelope('start', workflowType, input.args, workflowInfo().workflowId)] });
        },
      },
    ],
  };
}

/** A flow ends with an outcome, which its handle and the command line explain; another workflow fails. */
function refuseStart(distrust: Distrust): Outcome {
  const { workflowType } = workflowInfo();
  log.warn('Refused a start that is not trusted', { distrust });
  if (!isFlowName(workflowType)) throw refusal('start', distrust);
  return refusedStart(reasonOf('start', distrust), REMEDY);
}

const REMEDY =
  'find out who writes to the Temporal namespace, and compare the key ring files of all processes; a backend of this ' +
  'installation has to use another ref';

function openUpdate({ name, args, updateId }: { name: string; args: unknown[]; updateId: string }): unknown[] {
  const opened = openEnvelope(args, 'update', name, updateId);
  if ('distrust' in opened) throw refusal(`update ${name}`, opened.distrust);
  return opened.args;
}

function reasonOf(message: string, distrust: Distrust): string {
  return `the ${message} was not sent by this installation: ${causeOf(distrust)}`;
}

function refusal(message: string, distrust: Distrust): ApplicationFailure {
  return ApplicationFailure.nonRetryable(reasonOf(message, distrust), FAILURE_TYPES.untrusted);
}

/** @throws ActivityFailure as if the activity had failed, because nobody knows what it did */
function openResult(result: unknown, activityType: string, activityId: string): unknown {
  const opened = openEnvelope([result], 'result', activityType);
  if ('args' in opened) return opened.args[0];
  log.warn('Refused the result of an activity that is not trusted', { activityType, distrust: opened.distrust });
  const cause = refusal(`result of ${activityType}`, opened.distrust);
  throw new ActivityFailure(
    'Activity task failed',
    activityType,
    activityId,
    'NON_RETRYABLE_FAILURE',
    undefined,
    cause,
  );
}
