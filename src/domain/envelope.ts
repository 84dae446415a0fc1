import { flowQueue } from './activityTable';
import { senderRunOf } from './effect';
import { entityOf } from './flowId';
import { type Distrust, distrustOf } from './untrusted';

/**
 * What an envelope is for. `schedule` is a start by a schedule of Temporal; `result` is the result of an activity.
 */
export type EnvelopeKind = 'start' | 'schedule' | 'signal' | 'update' | 'query' | 'activity' | 'result';

/**
 * The only argument of every start, signal, update, query and activity, and the result of every activity. Encryption
 * binds it to a workflow or an activity; the envelope says which message it is. A message without arguments has one too:
 * Temporal passes an empty message on without asking the codec (docs/security.md#encrypted-payloads).
 */
export interface Envelope {
  /** Kind and name, such as `signal stateChanged` or `start transfer`. */
  for: string;
  /**
   * Where one name is not enough: the workflow id of a start, the id of an update, the run that scheduled an activity. A
   * schedule has the workflow id of its action, to which the server appends a time.
   */
  id?: string;
  /** Each argument in a list of its own, which is empty for `undefined`: JSON would make `null` of it. */
  args: unknown[][];
}

export function envelope(kind: EnvelopeKind, name: string, args: unknown[], id?: string): Envelope {
  return {
    for: `${kind} ${name}`,
    ...(id !== undefined && { id }),
    args: args.map((arg) => (arg === undefined ? [] : [arg])),
  };
}

/** The arguments in the envelope, or why they are not believed. */
export type Opened = { args: unknown[] } | { distrust: Distrust };

/** @param received all arguments as decoded */
export function openEnvelope(received: readonly unknown[], kind: EnvelopeKind, name: string, id?: string): Opened {
  const [value] = received;
  if (received.length !== 1 || value === undefined) return { distrust: 'missing' };
  const distrust = distrustOf(value);
  if (distrust) return { distrust };
  return isEnvelope(value) && value.for === `${kind} ${name}` && value.id === id
    ? { args: value.args.map(([arg]) => arg) }
    : { distrust: 'misplaced' };
}

/**
 * The input of an activity belongs to one run: a stranger could schedule the activity again, from another workflow with the
 * same id. An effect itself names the run that may send it, because the flow may have to look it up in a later run.
 */
export function activityEnvelope(activityType: string, args: unknown[], runId: string): Envelope {
  return envelope('activity', activityType, args, senderRunOf(args) === undefined ? runId : undefined);
}

/** What a worker knows of an activity that it runs. */
export interface RunningActivity {
  activityType: string;
  /** The workflow that scheduled it; undefined if none did. */
  workflowExecution?: { workflowId: string; runId: string } | undefined;
}

/** @param entity whose credentials and policies the worker has */
export function openActivity(
  received: readonly unknown[],
  { activityType, workflowExecution }: RunningActivity,
  entity: string,
): Opened {
  const effect = openEnvelope(received, 'activity', activityType);
  const opened =
    'args' in effect && senderRunOf(effect.args) !== undefined
      ? effect
      : openEnvelope(received, 'activity', activityType, workflowExecution?.runId);
  const isMisrouted = workflowExecution !== undefined && entityOf(workflowExecution.workflowId) !== entity;
  return 'args' in opened && isMisrouted ? { distrust: 'misrouted' } : opened;
}

/** What the server appends to the workflow id of a schedule's action. */
const SCHEDULED_TIME = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The workflow id of the schedule's action, if this may be the id of a workflow that a schedule started. */
export function scheduledAs(workflowId: string): string | undefined {
  return SCHEDULED_TIME.test(workflowId) ? workflowId.replace(SCHEDULED_TIME, '') : undefined;
}

/** What a worker knows of a workflow that it runs. */
export interface RunningWorkflow {
  workflowType: string;
  workflowId: string;
  /** The queue of its worker. */
  taskQueue: string;
}

/**
 * Opens the envelope of a start by a client, by the previous run, or by a schedule. Entities may share a key ring, so a
 * copy of a start can be decrypted by the workers of another entity, which have other policies.
 */
export function openStart(
  received: readonly unknown[],
  { workflowType, workflowId, taskQueue }: RunningWorkflow,
): Opened {
  const opened = openAnyStart(received, workflowType, workflowId);
  const isMisrouted = taskQueue !== flowQueue(entityOf(workflowId));
  return 'args' in opened && isMisrouted ? { distrust: 'misrouted' } : opened;
}

function openAnyStart(received: readonly unknown[], workflowType: string, workflowId: string): Opened {
  const opened = openEnvelope(received, 'start', workflowType, workflowId);
  const scheduled = scheduledAs(workflowId);
  if ('args' in opened || scheduled === undefined || opened.distrust !== 'misplaced') return opened;
  return openEnvelope(received, 'schedule', workflowType, scheduled);
}

/** Whether a value is the start of a flow by a schedule: all else is encrypted for the workflow that receives it. */
export function isScheduledStart(value: unknown): boolean {
  return isEnvelope(value) && value.for.startsWith('schedule ' satisfies `${EnvelopeKind} `);
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null || !('for' in value) || !('args' in value)) return false;
  return typeof value.for === 'string' && isListOfLists(value.args);
}

function isListOfLists(value: unknown): boolean {
  return Array.isArray(value) && value.every(Array.isArray);
}
