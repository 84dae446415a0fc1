import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';

type History = temporal.api.history.v1.IHistory;

const { WorkflowExecutionStatus, PendingActivityState } = temporal.api.enums.v1;
const NOT_FOUND = 5;

/** Real milliseconds that flows and world may take to come to rest after a step. */
const SETTLE_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
/** The list of open flows is asked for at most this often: a namespace allows ten such queries a second to everybody. */
const LIST_EVERY_MS = 500;
/** Flows that are due within this virtual time of each other are woken in one step. */
const TOGETHER_MS = 1_000;
/** Steps in a row of less than a second each: something is due again and again. */
const MAX_SHORT_STEPS = 1_000;
/**
 * Skips within one fast-forward. One is what a step needs, and more is harmful: server 1.32.0 skips a whole back-off too
 * many when an attempt ends after the target has passed and before the server has seen that.
 */
const MAX_SKIPS = 1;

/** What flows talk to and what has its own clock: the emulator's world. */
export interface SteppedWorld {
  now(): Promise<Date>;
  /** When the world does something by itself next, if not later than `until`. */
  nextDue(until: Date): Promise<Date | undefined>;
  /** Sets the clock to `time`; returns when everything due has happened and its webhooks are delivered. */
  advanceTo(time: Date): Promise<void>;
}

export interface AdvanceOptions {
  client: Client;
  world: SteppedWorld;
  /** Workflow ids of the flows that take part; by default all open ones of the namespace, from its visibility list. */
  flows?: () => Promise<string[]> | string[];
}

/** Flows did not come to rest; the message names which and what they do. */
export class AdvanceStalledError extends Error {
  override readonly name = 'AdvanceStalledError';
}

/** A flow as the server describes it, in its own virtual time. */
interface FlowState {
  id: string;
  /** Of the first run: the same after continue-as-new, another when the id is used again. */
  key: string;
  /** Epoch milliseconds of its clock. */
  now: number;
  historyLength: number;
  /** What it does right now, in words; undefined when it waits. */
  busy?: string;
  /** Ids of its pending children. While there are some, the server does not skip its time. */
  children: string[];
  /** An activity waits for its next attempt. Server 1.32.0 starts that attempt at once when it skips any time. */
  retrying: boolean;
  /** When it goes on by itself: its earliest timer or next attempt. */
  due?: number;
}

/**
 * Moves a world and the flows that live in it through time together, in steps from one thing that is due to the next: the
 * world's clock is set, the clocks of the flows are skipped by the server (1.32, `frontend.WorkflowTimeSkippingEnabled`).
 * Between two steps everything comes to rest. Product code knows nothing of it. For tests, demo and dev; not to be
 * called twice at the same time.
 *
 * Two kinds of flows are held back, since the server can't skip their time faithfully: one with a pending child until the
 * child ends (a timer of its own does not fire before), and one with an activity between two attempts until the next
 * attempt or timer is due. If a held flow goes on earlier, its clock goes on from where it stood: what it then begins has
 * the right length, while a timer from before fires late by what was missed.
 *
 * @returns `advance(milliseconds)` of virtual time
 */
export function createAdvance(options: AdvanceOptions): (durationMs: number) => Promise<void> {
  const { client, world } = options;
  const openFlows = options.flows ?? openFlowsOf(client);
  const describeAll = describer(client);
  /** By flow: world time minus flow time, from when the flow was first seen or went on after it was held. */
  const offsets = new Map<string, number>();
  /** By flow that was held in the last step: length of its history then. */
  let held = new Map<string, number>();

  const worldNow = async () => (await world.now()).getTime();
  const toWorldTime = (flow: FlowState, flowTime: number) => flowTime + (offsets.get(flow.key) ?? 0);
  /** World time at which a flow goes on by itself; Infinity when something else must happen first. */
  const dueAt = (flow: FlowState) =>
    flow.due === undefined || flow.children.length > 0 ? Infinity : toWorldTime(flow, flow.due);

  /** @throws AdvanceStalledError */
  async function settle(): Promise<FlowState[]> {
    const deadline = Date.now() + SETTLE_TIMEOUT_MS;
    let before: string | undefined;
    for (;;) {
      const flows = await describeAll(await openFlows());
      const busy = flows.filter((flow) => flow.busy !== undefined);
      // Twice the same: nobody was about to wake another one.
      const seen = JSON.stringify(flows.map(({ key, historyLength, due }) => [key, historyLength, due]));
      if (busy.length === 0 && seen === before) {
        const now = await worldNow();
        for (const { key, historyLength, now: flowNow } of flows) {
          const wentOn = held.has(key) && held.get(key) !== historyLength;
          if (wentOn || !offsets.has(key)) offsets.set(key, now - flowNow);
        }
        return flows;
      }
      before = seen;
      if (Date.now() > deadline) {
        const what =
          busy.map((flow) => `${flow.id}: ${flow.busy}`).join('; ') || 'flows wake each other again and again';
        throw new AdvanceStalledError(`Time can't go on after ${SETTLE_TIMEOUT_MS / 1000} s: ${what}.`);
      }
      await sleep(POLL_MS);
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
    let flows = await settle();
    let now = await worldNow();
    const target = now + durationMs;
    for (let shortSteps = 0; now < target;) {
      const dues = flows.map(dueAt);
      const flowDue = Math.min(target, ...dues);
      const worldDue = (await world.nextDue(new Date(flowDue)))?.getTime();
      if (worldDue !== undefined) {
        // Flows first: what the world tells them has to reach them at its time, before their own timers of that moment.
        await skipTo(flows, Math.min(worldDue, flowDue - TOGETHER_MS));
        await world.advanceTo(new Date(Math.max(worldDue, now)));
      } else {
        // World first: what flows ask at their time, it answers at that time.
        const together = Math.max(flowDue, ...dues.filter((due) => due <= flowDue + TOGETHER_MS));
        const time = Math.max(Math.min(together, target), now);
        await world.advanceTo(new Date(time));
        await skipTo(flows, time);
      }
      flows = await settle();
      const reached = await worldNow();
      shortSteps = reached - now < TOGETHER_MS ? shortSteps + 1 : 0;
      if (shortSteps === MAX_SHORT_STEPS) {
        throw new AdvanceStalledError(`Something is due at ${new Date(now).toISOString()} again and again.`);
      }
      now = reached;
    }
  };
}

/** From visibility, at most every half second; in between the ids seen last. */
function openFlowsOf(client: Client): () => Promise<string[]> {
  let ids: string[] = [];
  let askedAt = 0;
  return async () => {
    if (Date.now() - askedAt >= LIST_EVERY_MS) {
      ids = [];
      for await (const { workflowId } of client.workflow.list({ query: 'ExecutionStatus = "Running"' }))
        ids.push(workflowId);
      askedAt = Date.now();
    }
    return ids;
  };
}

/** @returns the given flows and their children at any depth, without those that have ended, sorted by id */
function describer(client: Client): (ids: string[]) => Promise<FlowState[]> {
  const histories = new Map<string, PendingWaits & { length: number }>();

  /** Reads a history again only when it has grown. */
  async function waitsOf(workflowId: string, runId: string, length: number): Promise<PendingWaits> {
    const known = histories.get(runId);
    if (known?.length === length) return known;
    const waits = pendingWaits(await client.workflow.getHandle(workflowId, runId).fetchHistory());
    histories.set(runId, { ...waits, length });
    return waits;
  }

  return async (ids) => {
    const found: FlowState[] = [];
    const asked = new Set<string>();
    for (let next = ids; next.length > 0;) {
      for (const id of next) asked.add(id);
      const flows = (await Promise.all(next.map((id) => describe(client, id, waitsOf)))).filter(
        (flow) => flow !== undefined,
      );
      found.push(...flows);
      next = [...new Set(flows.flatMap(({ children }) => children))].filter((id) => !asked.has(id));
    }
    const open = new Set(found.map(({ id }) => id));
    for (const flow of found) {
      const ended = flow.children.find((id) => !open.has(id));
      // The parent hears of it in a moment.
      if (ended !== undefined) flow.busy ??= `its child ${ended} has just ended or is about to start`;
    }
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  };
}

/** @returns undefined when the flow has ended */
async function describe(
  client: Client,
  workflowId: string,
  waitsOf: (workflowId: string, runId: string, length: number) => Promise<PendingWaits>,
): Promise<FlowState | undefined> {
  const { namespace } = client.options;
  const answer = await client.workflowService
    .describeWorkflowExecution({ namespace, execution: { workflowId } })
    .catch(unlessEnded);
  const info = answer?.workflowExecutionInfo;
  if (!answer || !info || info.status !== WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) return undefined;

  const now = optionalTsToMs(answer.workflowExtendedInfo?.timeSkippingInfo?.currentTime) ?? Date.now();
  const historyLength = Number(info.historyLength);
  const dues: number[] = [];
  let retrying = false;
  let busy = answer.pendingWorkflowTask ? 'its workflow task waits for a worker or runs' : undefined;
  for (const activity of answer.pendingActivities ?? []) {
    if (activity.state === PendingActivityState.PENDING_ACTIVITY_STATE_PAUSED) continue;
    const nextAttempt = optionalTsToMs(activity.nextAttemptScheduleTime) ?? 0;
    if (activity.state === PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED && nextAttempt > now) {
      retrying = true;
      dues.push(nextAttempt);
    } else {
      busy ??= `activity ${activity.activityType?.name} waits in its queue or runs (attempt ${activity.attempt})`;
    }
  }
  const waits = await waitsOf(workflowId, info.execution!.runId!, historyLength);
  if (waits.externalCalls > 0) busy ??= 'a signal or cancel request to another flow is on its way';
  for (const expiry of waits.timers) {
    if (expiry <= now) busy ??= 'its timer is about to fire';
    else dues.push(expiry);
  }
  return {
    id: workflowId,
    key: `${workflowId} ${info.firstRunId}`,
    now,
    historyLength,
    children: (answer.pendingChildren ?? []).map((child) => child.workflowId!),
    retrying,
    ...(busy !== undefined && { busy }),
    ...(dues.length > 0 && { due: Math.min(...dues) }),
  };
}

interface PendingWaits {
  /** Epoch milliseconds at which they fire, in the flow's time. */
  timers: number[];
  /** Signals and cancel requests to other flows that have no answer yet. */
  externalCalls: number;
}

/** What the server's description of a flow leaves out. */
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

/** Skips `durationMs` of a flow's time, rounded up to a millisecond; a flow that has ended meanwhile is left alone. */
async function fastForward(client: Client, flow: FlowState, durationMs: number): Promise<void> {
  if (durationMs <= 0) return;
  const timeSkippingConfig = {
    enabled: true,
    // Else a child that starts during the skip would run through all its time at once.
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
    .catch(unlessEnded);
}

function unlessEnded(error: unknown): undefined {
  if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return undefined;
  throw error;
}
