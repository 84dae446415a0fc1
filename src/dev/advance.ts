import { type Client, isGrpcServiceError } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import type { LocalActivities } from '../../activities';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

type History = temporal.api.history.v1.IHistory;

const { WorkflowExecutionStatus, PendingActivityState } = temporal.api.enums.v1;
/** gRPC status code. */
const NOT_FOUND = 5;

/** How long, in real time, flows and world may take to settle after a step: far longer than on a busy machine. */
const SETTLE_TIMEOUT_MS = 180_000;
const POLL_MS = 20;
/**
 * A poll that may run early, so no step waits for it: a flow watches its session every five minutes, and a step of five
 * minutes would make days long.
 */
const ANY_TIME_POLL: keyof LocalActivities = 'watchSession';
/** The shortest interval between queries for open flows: a namespace allows ten such queries per second in total. */
const LIST_EVERY_MS = 500;
/** Flows that are due within this virtual time of each other continue in the same step. */
const SAME_STEP_MS = 1_000;
/**
 * Maximum number of consecutive steps of less than a second each. More than that means that the same event keeps
 * becoming due.
 */
const MAX_SHORT_STEPS = 1_000;
/**
 * Skips within one fast-forward. A step needs one, and more would be wrong: if an attempt ends after the target time and
 * the server has not noticed it yet, server 1.32.0 skips one more whole backoff.
 */
const MAX_SKIPS = 1;

/** The system that flows send requests to, and that has its own clock: the emulator's world. */
export interface SteppedWorld {
  now(): Promise<Date>;
  /** When the world's next scheduled event is due, if that is not later than `until`. */
  nextDue(until: Date): Promise<Date | undefined>;
  /** Sets the clock to `time`. Resolves when everything due has happened and its webhooks are delivered. */
  advanceTo(time: Date): Promise<void>;
}

export interface AdvanceOptions {
  client: Client;
  world: SteppedWorld;
  /** Workflow ids of the flows to advance. By default all open workflows of the namespace, from visibility. */
  flows?: () => Promise<string[]> | string[];
}

/** Flows did not settle. The message names them and what they do. */
export class AdvanceStalledError extends Error {
  override readonly name = 'AdvanceStalledError';
}

/** A flow as the server describes it, in its own virtual time. */
interface FlowState {
  id: string;
  runId: string;
  /** Identifies the chain of runs: the same after continue-as-new, another one if the id is used again. */
  key: string;
  /** Epoch milliseconds by the flow's clock. */
  now: number;
  historyLength: number;
  /** What the flow does right now, in words; undefined if it waits. */
  busy?: string;
  /** Ids of pending child workflows. The server skips no time while there are any. */
  children: string[];
  /** An activity waits for its next attempt. Server 1.32.0 starts that attempt immediately when it skips any time. */
  retrying: boolean;
  /** When the flow continues on its own: its earliest timer or next attempt. */
  due?: number;
}

/**
 * Moves a world and its flows through time together (docs/architecture.md#virtual-time), in steps from one due event to
 * the next. It sets the world's clock, and the server skips the time of the flows (1.32,
 * `frontend.WorkflowTimeSkippingEnabled`). Between two steps everything settles. Product code is not aware of it. For
 * tests, the demo and `walletflow dev`. Two calls must not overlap.
 *
 * Two kinds of flows are held back, because the server cannot skip their time correctly: a flow with a pending child,
 * until the child ends (its own timers do not fire before), and a flow with an activity that waits for its next
 * attempt, until that attempt or the next timer is due. If a held flow continues earlier, its clock continues from
 * where it stopped. Timers and activities that it starts from then on have the right length, but a timer that was
 * already running fires late, by the time that was not skipped.
 *
 * @returns `advance(milliseconds)` of virtual time
 */
export function createAdvance(options: AdvanceOptions): (durationMs: number) => Promise<void> {
  const { client, world } = options;
  const listOpenFlows = options.flows ?? openFlowLister(client);
  const describeAll = describer(client);
  /** What the flows had done when the ones that had ended were last looked at; undefined: look at them. */
  let progressed: string | undefined;
  let ended: readonly string[] = [];
  /** World time minus flow time, by flow. Measured when the flow was first seen, or when it continued after a hold. */
  const offsets = new Map<string, number>();
  /** Length of the history of each flow that was held in the last step. */
  let held = new Map<string, number>();

  const worldNow = async () => (await world.now()).getTime();
  const toWorldTime = (flow: FlowState, flowTime: number) => flowTime + (offsets.get(flow.key) ?? 0);
  /** World time at which a flow continues on its own; Infinity if something else must happen first. */
  const dueAt = (flow: FlowState) =>
    flow.due === undefined || flow.children.length > 0 ? Infinity : toWorldTime(flow, flow.due);

  /**
   * The open flows. A flow that has ended runs again only after another flow or the world did something, so the others
   * are described first.
   */
  async function openFlows(): Promise<FlowState[]> {
    const ids = await listOpenFlows();
    const known = await describeAll(ids.filter((id) => !ended.includes(id)));
    if (progressOf(known) === progressed) return known;
    const flows = await describeAll(ids);
    const open = new Set(flows.map(({ id }) => id));
    ended = ids.filter((id) => !open.has(id));
    progressed = progressOf(flows);
    return flows;
  }

  /** @throws AdvanceStalledError */
  async function settle(): Promise<FlowState[]> {
    const deadline = Date.now() + SETTLE_TIMEOUT_MS;
    let previous: string | undefined;
    for (;;) {
      const flows = await openFlows();
      const busy = flows.filter((flow) => flow.busy !== undefined);
      // Nothing has changed since the previous check, so no flow was about to wake another one.
      const current = JSON.stringify(flows.map(({ key, historyLength, due }) => [key, historyLength, due]));
      if (busy.length === 0 && current === previous) {
        const now = await worldNow();
        for (const { key, historyLength, now: flowNow } of flows) {
          const hasContinued = held.has(key) && held.get(key) !== historyLength;
          if (hasContinued || !offsets.has(key)) offsets.set(key, now - flowNow);
        }
        return flows;
      }
      previous = current;
      await untilIdle(busy, deadline);
      if (Date.now() > deadline) throw stalled('flows wake each other again and again');
      await sleep(POLL_MS);
    }
  }

  /**
   * Waits for flows that do something, and describes only them: to describe every flow again and again would keep the
   * server busier than the flows do.
   *
   * @throws AdvanceStalledError
   */
  async function untilIdle(flows: FlowState[], deadline: number): Promise<void> {
    for (let busy = flows; busy.length > 0;) {
      if (Date.now() > deadline) throw stalled(busy.map((flow) => `${flow.id}: ${flow.busy}`).join('; '));
      await sleep(POLL_MS);
      busy = (await describeAll(busy.map(({ id }) => id))).filter((flow) => flow.busy !== undefined);
    }
  }

  async function skipTo(flows: FlowState[], worldTime: number): Promise<void> {
    const isHeld = (flow: FlowState) => flow.children.length > 0 || (flow.retrying && dueAt(flow) > worldTime);
    held = new Map(flows.filter(isHeld).map(({ key, historyLength }) => [key, historyLength]));
    await Promise.all(
      flows
        .filter((flow) => !isHeld(flow))
        .map((flow) => fastForward(client, flow, worldTime - toWorldTime(flow, flow.now))),
    );
  }

  return async function advance(durationMs) {
    progressed = undefined;
    let flows = await settle();
    let now = await worldNow();
    const target = now + durationMs;
    for (let shortSteps = 0; now < target;) {
      const dues = flows.map(dueAt);
      const flowDue = Math.min(target, ...dues);
      const worldDue = (await world.nextDue(new Date(flowDue)))?.getTime();
      if (worldDue !== undefined) {
        // Flows first: a webhook of the world must reach them at its time, before their own timers of that moment.
        await skipTo(flows, Math.min(worldDue, flowDue - SAME_STEP_MS));
        await world.advanceTo(new Date(Math.max(worldDue, now)));
        progressed = undefined;
      } else {
        // World first: the world must respond to requests of the flows by the time at which they are sent.
        const together = Math.max(flowDue, ...dues.filter((due) => due <= flowDue + SAME_STEP_MS));
        const time = Math.max(Math.min(together, target), now);
        await world.advanceTo(new Date(time));
        await skipTo(flows, time);
      }
      flows = await settle();
      const reached = await worldNow();
      shortSteps = reached - now < SAME_STEP_MS ? shortSteps + 1 : 0;
      if (shortSteps === MAX_SHORT_STEPS) {
        throw new AdvanceStalledError(`Something is due at ${new Date(now).toISOString()} again and again.`);
      }
      now = reached;
    }
  };
}

/** Changes when a flow starts, ends, or adds to its history. */
function progressOf(flows: FlowState[]): string {
  return JSON.stringify(flows.map(({ key, historyLength }) => [key, historyLength]));
}

function stalled(reason: string): AdvanceStalledError {
  return new AdvanceStalledError(
    `Time cannot advance, because flows do not settle within ${SETTLE_TIMEOUT_MS / 1000} s: ${reason}.`,
  );
}

/** Lists open flows from visibility, at most every half second. Between queries it returns the latest ids. */
function openFlowLister(client: Client): () => Promise<string[]> {
  let ids: string[] = [];
  let queriedAt = 0;
  return async () => {
    if (Date.now() - queriedAt >= LIST_EVERY_MS) {
      ids = [];
      for await (const { workflowId } of client.workflow.list({ query: 'ExecutionStatus = "Running"' }))
        ids.push(workflowId);
      queriedAt = Date.now();
    }
    return ids;
  };
}

/** @returns a function that describes flows and their children at any depth, without those that have ended, by id */
function describer(client: Client): (ids: string[]) => Promise<FlowState[]> {
  const histories = new Map<string, PendingWaits & { length: number }>();
  /** The run of each flow that was open when it was last described. */
  const runs = new Map<string, string>();

  /** Reads a history again only when it has grown. */
  async function waitsOf(workflowId: string, runId: string, length: number): Promise<PendingWaits> {
    const known = histories.get(runId);
    if (known?.length === length) return known;
    const waits = pendingWaits(await client.workflow.getHandle(workflowId, runId).fetchHistory());
    histories.set(runId, { ...waits, length });
    return waits;
  }

  /** By the id of the last known run: the server has to look for the current one in its database. */
  async function describeOpen(id: string): Promise<FlowState | undefined> {
    const known = runs.get(id);
    const flow =
      (known !== undefined && (await describe(client, id, known, waitsOf))) ||
      (await describe(client, id, undefined, waitsOf));
    if (flow === undefined) runs.delete(id);
    else runs.set(id, flow.runId);
    return flow;
  }

  return async (ids) => {
    const found: FlowState[] = [];
    const visited = new Set<string>();
    for (let next = ids; next.length > 0;) {
      for (const id of next) visited.add(id);
      const flows = (await Promise.all(next.map(describeOpen))).filter((flow) => flow !== undefined);
      found.push(...flows);
      next = [...new Set(flows.flatMap(({ children }) => children))].filter((id) => !visited.has(id));
    }
    const open = new Set(found.map(({ id }) => id));
    for (const flow of found) {
      const ended = flow.children.find((id) => !open.has(id));
      // The parent will be notified in a moment.
      if (ended !== undefined) flow.busy ??= `its child ${ended} has just ended or is about to start`;
    }
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  };
}

/** @returns undefined if the run, or without `runId` the flow, has ended */
async function describe(
  client: Client,
  workflowId: string,
  runId: string | undefined,
  waitsOf: (workflowId: string, runId: string, length: number) => Promise<PendingWaits>,
): Promise<FlowState | undefined> {
  const { namespace } = client.options;
  const response = await client.workflowService
    .describeWorkflowExecution({ namespace, execution: { workflowId, runId } })
    .catch(ignoreNotFound);
  const info = response?.workflowExecutionInfo;
  if (!response || !info || info.status !== WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) return undefined;

  const now = optionalTsToMs(response.workflowExtendedInfo?.timeSkippingInfo?.currentTime) ?? Date.now();
  const historyLength = Number(info.historyLength);
  const dueTimes: number[] = [];
  let retrying = false;
  let busy = response.pendingWorkflowTask ? 'its workflow task waits for a worker or runs' : undefined;
  for (const activity of response.pendingActivities ?? []) {
    if (activity.state === PendingActivityState.PENDING_ACTIVITY_STATE_PAUSED) continue;
    const nextAttempt = optionalTsToMs(activity.nextAttemptScheduleTime) ?? 0;
    const isWaiting = activity.state === PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED && nextAttempt > now;
    if (isWaiting && activity.activityType?.name === ANY_TIME_POLL) continue;
    if (isWaiting) {
      retrying = true;
      dueTimes.push(nextAttempt);
    } else {
      busy ??= `activity ${activity.activityType?.name} waits in its queue or runs (attempt ${activity.attempt})`;
    }
  }
  const waits = await waitsOf(workflowId, info.execution!.runId!, historyLength);
  if (waits.externalCalls > 0) busy ??= 'a signal or cancel request to another flow is on its way';
  for (const expiry of waits.timers) {
    if (expiry <= now) busy ??= 'its timer is about to fire';
    else dueTimes.push(expiry);
  }
  return {
    id: workflowId,
    runId: info.execution!.runId!,
    key: `${workflowId} ${info.firstRunId}`,
    now,
    historyLength,
    children: (response.pendingChildren ?? []).map((child) => child.workflowId!),
    retrying,
    ...(busy !== undefined && { busy }),
    ...(dueTimes.length > 0 && { due: Math.min(...dueTimes) }),
  };
}

interface PendingWaits {
  /** When the pending timers fire: epoch milliseconds by the flow's clock. */
  timers: number[];
  /** Signals and cancel requests to other flows that are not completed yet. */
  externalCalls: number;
}

/** The pending waits that the server's description of a flow does not contain. */
function pendingWaits(history: History): PendingWaits {
  const timers = new Map<string, number>();
  let externalCalls = 0;
  for (const event of history.events ?? []) {
    const { timerStartedEventAttributes: started } = event;
    const ended = event.timerFiredEventAttributes ?? event.timerCanceledEventAttributes;
    if (started) {
      timers.set(started.timerId!, optionalTsToMs(event.eventTime)! + optionalTsToMs(started.startToFireTimeout)!);
    } else if (ended) {
      timers.delete(ended.timerId!);
    } else if (
      event.signalExternalWorkflowExecutionInitiatedEventAttributes ||
      event.requestCancelExternalWorkflowExecutionInitiatedEventAttributes
    ) {
      externalCalls++;
    } else if (
      event.externalWorkflowExecutionSignaledEventAttributes ||
      event.signalExternalWorkflowExecutionFailedEventAttributes ||
      event.externalWorkflowExecutionCancelRequestedEventAttributes ||
      event.requestCancelExternalWorkflowExecutionFailedEventAttributes
    ) {
      externalCalls--;
    }
  }
  return { timers: [...timers.values()], externalCalls };
}

/**
 * Skips `durationMs` of a flow's time, rounded up to a millisecond, but at most to the next timer or attempt that is due.
 * Does nothing if the flow has ended in the meantime.
 */
export async function fastForward(client: Client, flow: { id: string }, durationMs: number): Promise<void> {
  if (durationMs <= 0) return;
  const timeSkippingConfig = {
    enabled: true,
    // Otherwise a child that starts during the skip would run through all its time in one go.
    disablePropagation: true,
    maxSessionSkipCount: MAX_SKIPS,
    fastForwardConfig: { id: randomUUID(), duration: msToTs(Math.ceil(durationMs)) },
  };
  await client.workflowService
    .updateWorkflowExecutionOptions({
      namespace: client.options.namespace,
      workflowExecution: { workflowId: flow.id },
      workflowExecutionOptions: { timeSkippingConfig },
      updateMask: { paths: ['time_skipping_config'] },
    })
    .catch(ignoreNotFound);
}

function ignoreNotFound(error: unknown): undefined {
  if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return undefined;
  throw error;
}
