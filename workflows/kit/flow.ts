import { CancellationScope, setHandler, upsertSearchAttributes, uuid4 } from '@temporalio/workflow';
import type { ApiActivities } from '../../activities';
import { type Actor, TEMPORAL_ACTOR } from '../../src/domain/actor';
import type { Attention, Decision, OpenAttention } from '../../src/domain/attention';
import type { DecodedCall } from '../../src/domain/callMovements';
import type { EffectRef } from '../../src/domain/effect';
import type { FlowEventData, FlowEventType } from '../../src/domain/flowEvent';
import type { FlowId } from '../../src/domain/flowId';
import type { FlowStart } from '../../src/domain/flowStart';
import type { InputRequestName } from '../../src/domain/inputRequests';
import type { CancelResult } from '../../src/domain/messages';
import { type Outcome, withoutScreening } from '../../src/domain/outcome';
import type { Policy } from '../../src/domain/policy';
import { policyLabel } from '../../src/domain/policy';
import type { PendingApproval, Progress, Resources, StepState, UserProblem } from '../../src/domain/progress';
import { withSealedMarks } from '../../src/domain/sealed';
import { SEARCH_ATTRIBUTES } from '../../src/domain/searchAttributes';
import type { UserRestriction } from '../../src/domain/userSession';
import { apiActivities } from './activities';
import { type ApprovalCredentialsSource, handleApprovalCredentials } from './approvalCredentials';
import { beginEnd } from './ending';
import { FlowEvents } from './events';
import { toOutcomeError } from './failure';
import { FlowOutcomeError } from './flowOutcomeError';
import { type InputRequest, MessageHandlers } from './messageHandlers';
import { progressQuery } from './messages';
import { TransactionUpdates } from './transactionUpdates';

const FLOW_STEP = { name: SEARCH_ATTRIBUTES.step, type: 'KEYWORD' } as const;
const FLOW_ATTENTION = { name: SEARCH_ATTRIBUTES.attention, type: 'KEYWORD' } as const;
const FLOW_OUTCOME = { name: SEARCH_ATTRIBUTES.outcome, type: 'KEYWORD' } as const;

/** There is nothing to decide; the flow keeps waiting. */
const UNRESOLVED: OpenAttention = {
  id: 'unresolved',
  name: 'Unresolved',
  reason: 'a deadline has passed, and the API has not reported a final state',
  remedy: 'look up in the API what the flow is waiting for',
  options: [],
};

/** People type these ids, so they are short. A flow asks few questions, so they differ nevertheless. */
const ATTENTION_ID_LENGTH = 8;

const NOTHING_TO_APPROVE: ApprovalCredentialsSource = {
  problem: () => 'The flow has nothing for its user to approve now; check its progress',
  issue: () => Promise.reject(new Error('The flow has no credentials to issue')),
};

/**
 * How far a flow is from its point of no return (docs/architecture.md#the-point-of-no-return):
 *
 * - `none`         nothing exists in the API, and no request is in flight
 * - `inFlight`     a request that creates something in the API is in progress
 * - `cancellable`  it exists, and the API may still cancel it
 * - `made`         it exists, and a cancellation is too late
 */
type Commitment = 'none' | 'inFlight' | 'cancellable' | 'made';

/** Accepts every attention whose choices are literal types. */
type LiteralChoices<C extends string> = string extends C ? never : unknown;

/** One running flow: its progress, its messages, its events and its point of no return. Created by `runFlow`. */
export class Flow<I = unknown> {
  readonly api: ApiActivities;
  /** The states of the flow's transactions that webhooks and sweeps reported. */
  readonly updates = new TransactionUpdates();
  /** Events for the integrator. */
  readonly events: FlowEvents;
  private readonly progress: Progress;
  private readonly ordinals = new Map<string, number>();
  private readonly scope = new CancellationScope();
  private commitment: Commitment = 'none';
  private readonly messageHandlers: MessageHandlers;
  /** Whether the search attribute `FlowAttention` is set. */
  private attentionShown = false;
  private loadedPolicy: Policy | undefined;
  private isInStep = false;

  constructor(readonly start: FlowStart<I> & FlowId) {
    this.api = apiActivities(start.entity);
    this.progress = {
      flow: start.flow,
      ref: start.ref,
      entity: start.entity,
      steps: [],
      pastPointOfNoReturn: false,
      resources: {},
    };
    this.events = new FlowEvents(this.progress);
    // Handlers must exist before the first await, or an early message would be lost.
    setHandler(progressQuery, () => this.progressSnapshot());
    this.messageHandlers = new MessageHandlers(this.progress, (by) => this.requestCancel(by));
    handleApprovalCredentials(NOTHING_TO_APPROVE);
    void CancellationScope.current().cancelRequested.catch(() => this.requestCancel(TEMPORAL_ACTOR));
  }

  get policy(): Policy {
    if (!this.loadedPolicy) throw new Error('The policy is read by runFlow before the first step');
    return this.loadedPolicy;
  }

  /** Records the policy and the initiator, before the first step. */
  admit({ policy, startedBy }: { policy: Policy; startedBy?: Actor }): void {
    this.loadedPolicy = policy;
    this.progress.policy = policyLabel(policy);
    this.progress.startedBy = startedBy;
  }

  /** Whether a cancellation was requested that may still end the flow. */
  get cancelRequested(): boolean {
    return !this.exists && this.cancelRequestedBy !== undefined;
  }

  /** Whether a cancellation was requested that the API may still carry out. */
  get cancelRequestedAtApi(): boolean {
    return this.commitment === 'cancellable' && this.cancelRequestedBy !== undefined;
  }

  private get cancelRequestedBy(): Actor | undefined {
    const { cancelRequested } = this.progress;
    return cancelRequested?.tooLate ? undefined : cancelRequested?.by;
  }

  /** Whether what the flow creates exists in the API. */
  private get exists(): boolean {
    return this.commitment === 'cancellable' || this.commitment === 'made';
  }

  /**
   * Runs one step and records it in the progress. A cancellation interrupts the step before the point of no return, but
   * not after it.
   */
  async step<T>(name: string, body: () => Promise<T>): Promise<T> {
    this.recordStep(name, 'active');
    this.isInStep = true;
    try {
      const result = await (this.exists ? body() : this.scope.run(body));
      this.recordStep(name, 'done');
      return result;
    } catch (error) {
      this.recordStep(name, 'failed');
      throw toOutcomeError(error);
    } finally {
      this.isInStep = false;
    }
  }

  /** Runs a step, or a part of the step that is active. What ends that step also ends its part. */
  stepOrPart<T>(name: string, body: () => Promise<T>): Promise<T> {
    return this.isInStep ? body() : this.step(name, body);
  }

  /** Runs work that must complete even if the flow is cancelled. */
  nonCancellable<T>(body: () => Promise<T>): Promise<T> {
    return CancellationScope.nonCancellable(body);
  }

  /** Emits an event for the integrator. The kit emits `attention`, `step` and `ended` automatically. */
  emit<T extends FlowEventType>(type: T, data: FlowEventData[T]): void {
    this.events.emit(type, data);
  }

  /** Emits a `reminder` event if the flow is waiting. @param deadlineAt epoch milliseconds */
  remind(deadlineAt: number | undefined): void {
    const { waitingFor, since } = this.progress;
    if (waitingFor === undefined || since === undefined) return;
    const until = deadlineAt === undefined ? undefined : new Date(deadlineAt).toISOString();
    this.emit('reminder', { waitingFor, since, ...(until !== undefined && { until }) });
  }

  /** What the `refId` of each effect of a step names. */
  effectName(step: string): Pick<EffectRef, 'flow' | 'ref' | 'step'> {
    return { flow: this.progress.flow, ref: this.start.ref, step };
  }

  /** Returns the next effect of a step: a new ordinal, and so a new idempotency key. */
  nextEffect(step: string): EffectRef {
    const ordinal = (this.ordinals.get(step) ?? 0) + 1;
    this.ordinals.set(step, ordinal);
    return { ...this.effectName(step), ordinal };
  }

  /** The ordinals of a step up to this one are used, by the user's session for instance. */
  skipOrdinals(step: string, ordinal: number): void {
    this.ordinals.set(step, Math.max(ordinal, this.ordinals.get(step) ?? 0));
  }

  /** Adds ids to the progress and to the event `ended`. */
  addResources(resources: Partial<Resources>): void {
    for (const [name, id] of Object.entries(resources)) if (id !== undefined) this.progress.resources[name] = id;
  }

  /**
   * A request that creates something in the API is about to be sent. From now on, the effect of a cancellation depends
   * on the outcome of this request.
   */
  commit(): void {
    if (this.commitment === 'none') this.commitment = 'inFlight';
  }

  /** The request had no effect, so the flow can still be cancelled. */
  uncommit(): void {
    if (this.commitment === 'inFlight') this.commitment = 'none';
  }

  /** The request had an effect. A cancellation that arrived in the meantime is too late. */
  passPointOfNoReturn(): void {
    if (!this.exists) this.refuseCancel();
  }

  /** The request had an effect, which the API may still cancel, also for a cancellation that arrived in the meantime. */
  allowCancelAtApi(): void {
    this.commitment = 'cancellable';
    this.progress.pastPointOfNoReturn = true;
  }

  /** From now on, a cancellation is too late, also one that was requested. */
  refuseCancel(): void {
    this.commitment = 'made';
    this.progress.pastPointOfNoReturn = true;
    if (this.progress.cancelRequested) this.progress.cancelRequested.tooLate = true;
  }

  /**
   * What exists was only a preparation of the flow's own effect, and is settled. The flow can be cancelled again, and a
   * cancellation that came too late for the preparation ends it.
   */
  endPreparation(): void {
    this.commitment = 'none';
    this.progress.pastPointOfNoReturn = false;
    const { cancelRequested, attention } = this.progress;
    if (cancelRequested) {
      delete cancelRequested.tooLate;
      this.scope.cancel();
    }
    if (!this.isUnresolved) return;
    this.progress.unresolved = undefined;
    this.showAttention(attention?.name ?? null);
    this.events.attentionClosed(UNRESOLVED, {});
  }

  /** Begins a wait. It appears in the progress, and operators can search for it by the search attribute `FlowStep`. */
  waitFor(what: string): void {
    this.progress.waitingFor = what;
    this.progress.since = new Date().toISOString();
    upsertSearchAttributes([{ key: FLOW_STEP, value: this.progress.step ?? '' }]);
  }

  /** Shows what the user can approve now; undefined when nothing is left to approve. */
  showApproval(approval: PendingApproval | undefined): void {
    this.progress.approval = approval;
    this.progress.userProblem = undefined;
  }

  /** Shows what the flow's contract call does, also to everybody who has to decide something about it. */
  showCall(call: DecodedCall): void {
    this.progress.call = call;
  }

  /** Shows why the user cannot approve anything now; undefined when the restriction is lifted. */
  showRestriction(restriction: UserRestriction | undefined): void {
    this.progress.restriction = restriction;
  }

  /** Shows a problem that the user's app reported and the user can solve; undefined when it is solved. */
  showUserProblem(problem: UserProblem | undefined): void {
    this.progress.userProblem = problem;
  }

  get isUnresolved(): boolean {
    return this.progress.unresolved === true;
  }

  /** A deadline passed before the API reported a final state. The flow keeps waiting. */
  markUnresolved(): void {
    this.progress.unresolved = true;
    this.showAttention(UNRESOLVED.name);
    this.events.attentionOpened(UNRESOLVED);
  }

  /**
   * Shows an attention and waits for a decision. Before the point of no return, cancelling the flow ends the wait. The
   * caller can also end it by cancelling the surrounding scope, for example when the problem has resolved itself.
   * @param question its options come from `option`: a choice of the type `string` does not compile
   * @returns the choice
   */
  async awaitDecision<C extends string>(question: Attention<C> & LiteralChoices<C>): Promise<C> {
    // After a reset, the flow may ask another question at the same place, which then has another id.
    const { call } = this.progress;
    const attention: OpenAttention<C> = {
      ...question,
      id: uuid4().slice(0, ATTENTION_ID_LENGTH),
      ...(call && { call }),
    };
    this.showAttention(attention.name);
    this.events.attentionOpened(attention);
    let decision: Decision<C> | undefined;
    try {
      decision = await this.messageHandlers.awaitDecision(attention);
      return decision.choice;
    } finally {
      this.showAttention(this.progress.attention?.name ?? null);
      this.events.attentionClosed(attention, decision ?? { by: this.cancelRequestedBy });
    }
  }

  /**
   * From now on, accepts an input whenever its request is open. Open requests appear in the progress. If several
   * requests accept the same input, the most recent one receives it.
   * @returns a function that stops accepting it
   */
  accepts<N extends InputRequestName>(name: N, request: InputRequest<N>): () => void {
    return this.messageHandlers.accepts(name, request);
  }

  /**
   * Cancels the flow before its point of no return. After it, the step that follows what exists asks the API to cancel
   * that. @param by the actor that the outcome names
   */
  requestCancel(by: Actor): CancelResult {
    if (this.commitment === 'made') return 'tooLate';
    if (!this.cancelRequestedBy) this.progress.cancelRequested = { by, at: new Date().toISOString() };
    if (!this.exists) this.scope.cancel();
    return this.commitment === 'none' ? 'accepted' : 'undecided';
  }

  /**
   * The outcome of a flow that was cancelled before it sent its request, whose request had no effect, or whose effect the
   * API has cancelled.
   * @param remainder describes what was created in spite of the cancellation
   */
  cancelledOutcome(remainder = 'nothing was created in the API'): FlowOutcomeError {
    const by = this.cancelRequestedBy ?? TEMPORAL_ACTOR;
    return new FlowOutcomeError({ status: 'cancelled', reason: `cancelled by ${by.subject}; ${remainder}`, by });
  }

  finish(outcome: Outcome): void {
    beginEnd();
    this.progress.outcome = withoutScreening(outcome);
    this.progress.endedAt = new Date().toISOString();
    if (!this.progress.cancelRequested?.tooLate) this.progress.cancelRequested = undefined;
    this.progress.waitingFor = undefined;
    this.progress.attention = this.progress.approval = this.progress.restriction = undefined;
    // One upsert, because each is an event of the history.
    upsertSearchAttributes([
      { key: FLOW_OUTCOME, value: outcome.status },
      ...(this.attentionShown ? [{ key: FLOW_ATTENTION, value: null }] : []),
    ]);
    if (this.isUnresolved) this.events.attentionClosed(UNRESOLVED, {});
    this.events.ended(outcome);
  }

  private progressSnapshot(): Progress {
    const { pendingInputRequests: inputRequests } = this.messageHandlers;
    const input = withSealedMarks(this.start.input);
    return { ...this.progress, input, ...(inputRequests.length > 0 && { inputRequests }) };
  }

  /** Lists of flows show the step beside the attention. */
  private showAttention(value: string | null): void {
    this.attentionShown = value !== null;
    upsertSearchAttributes([
      { key: FLOW_ATTENTION, value },
      ...(this.attentionShown ? [{ key: FLOW_STEP, value: this.progress.step ?? '' }] : []),
    ]);
  }

  private recordStep(name: string, state: StepState): void {
    const at = new Date().toISOString();
    const known = this.progress.steps.find((step) => step.name === name);
    if (known) Object.assign(known, { state, at });
    else this.progress.steps.push({ name, state, at });
    this.progress.step = name;
    if (state !== 'active') this.progress.waitingFor = this.progress.since = undefined;
    this.emit('step', { name, state });
  }
}
