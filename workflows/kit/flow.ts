import {
  CancellationScope,
  isCancellation,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ApiActivities } from '../../activities';
import type { Attention, Decision } from '../../src/domain/attention';
import type { EffectRef } from '../../src/domain/effect';
import type { FlowEventData, FlowEventType } from '../../src/domain/flowEvent';
import type { FlowStart } from '../../src/domain/flowStart';
import type { CancelAnswer } from '../../src/domain/messages';
import type { Outcome } from '../../src/domain/outcome';
import { type Person, TEMPORAL } from '../../src/domain/person';
import type { Policy } from '../../src/domain/policy';
import { policyLabel } from '../../src/domain/policy';
import type { ApprovalShown, Progress, Resources, StepState, UserProblem } from '../../src/domain/progress';
import type { ProvisionName } from '../../src/domain/provisions';
import { SEARCH_ATTRIBUTES } from '../../src/domain/searchAttributes';
import type { UserBlock } from '../../src/domain/userSession';
import { apiActivities } from './activities';
import { answerApprovals, type ApprovalSource } from './approval';
import { FlowEvents } from './events';
import { apiFailure } from './failure';
import { progressQuery } from './messages';
import { People, type Provision } from './people';
import { Refusal } from './refusal';
import { TransactionNewsDesk } from './transactionNews';

const FLOW_STEP = { name: SEARCH_ATTRIBUTES.step, type: 'KEYWORD' } as const;
const FLOW_ATTENTION = { name: SEARCH_ATTRIBUTES.attention, type: 'KEYWORD' } as const;

/** Nobody can decide anything; the flow goes on waiting by itself. */
const UNRESOLVED: Attention = {
  name: 'Unresolved',
  reason: 'a deadline has passed, and the API has not said its last word',
  remedy: 'look at the API for what the flow waits for',
  options: [],
};

const NOTHING_TO_APPROVE: ApprovalSource = {
  problem: () => 'The flow has nothing for its user to approve now; look at its progress',
  issue: () => Promise.reject(new Error('Nothing is issued that is not there')),
};

/** Where a flow stands towards its point of no return (DESIGN rule 9). */
type Commitment = 'none' | 'inFlight' | 'made';

/** One running flow: its progress, its people's messages and its point of no return. Made by `runFlow`. */
export class Flow<I = unknown> {
  readonly api: ApiActivities;
  /** What webhooks told of its transactions. */
  readonly news = new TransactionNewsDesk();
  /** What the integrator hears of it. */
  readonly events: FlowEvents;
  private readonly progress: Progress;
  private readonly ordinals = new Map<string, number>();
  private readonly scope = new CancellationScope();
  private commitment: Commitment = 'none';
  private readonly people: People;
  /** Whether the search attribute says something. */
  private attentionShown = false;
  private loadedPolicy: Policy | undefined;

  constructor(readonly start: FlowStart<I>) {
    this.api = apiActivities(start.entity);
    this.progress = {
      flow: workflowInfo().workflowType,
      ref: start.ref,
      entity: start.entity,
      steps: [],
      pastPointOfNoReturn: false,
      resources: {},
    };
    this.events = new FlowEvents(this.progress);
    // Handlers exist before the first await (DESIGN rule 7).
    setHandler(progressQuery, () => this.shown());
    this.people = new People(this.progress, (by) => this.requestCancel(by));
    answerApprovals(NOTHING_TO_APPROVE);
    void CancellationScope.current().cancelRequested.catch(() => this.requestCancel(TEMPORAL));
  }

  get policy(): Policy {
    if (!this.loadedPolicy) throw new Error('The policy is read by runFlow before the first step');
    return this.loadedPolicy;
  }

  set policy(policy: Policy) {
    this.loadedPolicy = policy;
    this.progress.policy = policyLabel(policy);
  }

  /** Whether somebody asked for a cancel that is still to be honoured. */
  get cancelRequested(): boolean {
    return this.cancelledBy !== undefined;
  }

  private get cancelledBy(): Person | undefined {
    return this.progress.calledBack?.by;
  }

  /**
   * One line of the flow's table of contents. Before the point of no return it is given up when the flow is cancelled;
   * after it, it runs to its end.
   */
  async step<T>(name: string, body: () => Promise<T>): Promise<T> {
    this.mark(name, 'active');
    try {
      const result = await (this.commitment === 'made' ? body() : this.scope.run(body));
      this.mark(name, 'done');
      return result;
    } catch (error) {
      this.mark(name, 'failed');
      throw endingOf(error);
    }
  }

  /** Runs what may not be given up any more, whatever becomes of the flow. */
  unstoppable<T>(body: () => Promise<T>): Promise<T> {
    return CancellationScope.nonCancellable(body);
  }

  /** Tells the integrator something; what the flow itself tells of attentions, steps and its end is told by the kit. */
  emit<T extends FlowEventType>(type: T, data: FlowEventData[T]): void {
    this.events.emit(type, data);
  }

  /** Tells the integrator that the flow still waits, where it does. @param until the deadline, epoch milliseconds */
  remind(until: number | undefined): void {
    const { waitingFor, since } = this.progress;
    if (waitingFor === undefined || since === undefined) return;
    this.emit('reminder', { waitingFor, since, ...(until !== undefined && { until: new Date(until).toISOString() }) });
  }

  /** The next effect of a step: a new thing with a new key. */
  nextEffect(step: string): EffectRef {
    const ordinal = (this.ordinals.get(step) ?? 0) + 1;
    this.ordinals.set(step, ordinal);
    const { ref, keyId } = this.start;
    return { flow: this.progress.flow, ref, keyId, step, ordinal };
  }

  /** Ids that people and the report want to see. */
  note(resources: Partial<Resources>): void {
    for (const [name, id] of Object.entries(resources)) if (id !== undefined) this.progress.resources[name] = id;
  }

  /** A request that moves value is about to be sent: from here on, its outcome decides what a cancel can do. */
  commit(): void {
    if (this.commitment === 'none') this.commitment = 'inFlight';
  }

  /** The request was refused and nothing was made: the flow can be called back again. */
  uncommit(): void {
    if (this.commitment === 'inFlight') this.commitment = 'none';
  }

  /** The thing exists: no return, and a cancel that came while it was made came too late. */
  pointOfNoReturn(): void {
    this.commitment = 'made';
    this.progress.calledBack = undefined;
    this.progress.pastPointOfNoReturn = true;
  }

  /** Begins a wait that operators may look for: shown in progress and by the search attribute `FlowStep`. */
  waitFor(what: string): void {
    this.progress.waitingFor = what;
    this.progress.since = new Date().toISOString();
    upsertSearchAttributes([{ key: FLOW_STEP, value: this.progress.step ?? '' }]);
  }

  /** What the user is to approve, for the user's app; undefined when it is over. */
  showApproval(approval: ApprovalShown | undefined): void {
    this.progress.approval = approval;
    this.progress.userProblem = undefined;
  }

  /** What keeps the user from approving anything; undefined when nothing does. */
  showBlock(block: UserBlock | undefined): void {
    this.progress.block = block;
  }

  /** What the user's app reported and the user can mend; undefined when it is over. */
  showUserProblem(problem: UserProblem | undefined): void {
    this.progress.userProblem = problem;
  }

  get isUnresolved(): boolean {
    return this.progress.unresolved === true;
  }

  /** A deadline passed without the API's last word (DESIGN rule 12). */
  unresolved(): void {
    this.progress.unresolved = true;
    this.showAttention(UNRESOLVED.name);
    this.events.attentionOpened(UNRESOLVED);
  }

  /**
   * Waits for a person's decision among the options shown. Before the point of no return a cancel ends the wait, and so
   * does the cancel of the caller's scope, when what it is about has mended itself.
   * @returns the choice
   */
  async attention(attention: Attention): Promise<string> {
    this.showAttention(attention.name);
    this.events.attentionOpened(attention);
    let decision: Decision | undefined;
    try {
      decision = await this.people.choice(attention);
      return decision.choice;
    } finally {
      this.showAttention(this.progress.attention?.name ?? null);
      this.events.attentionClosed(attention, decision ?? { by: this.cancelledBy });
    }
  }

  /**
   * From now on people may provide this, whenever it is wanted: shown in progress, refused when it is not. Of several the
   * newest takes it.
   * @returns takes it back
   */
  provides<W extends ProvisionName>(what: W, provision: Provision<W>): () => void {
    return this.people.provides(what, provision);
  }

  /** Asks for the cancel of what has not been committed; `by` as recorded in the outcome. */
  requestCancel(by: Person): CancelAnswer {
    if (this.commitment === 'made') return 'tooLate';
    this.progress.calledBack ??= { by, at: new Date().toISOString() };
    this.scope.cancel();
    return this.commitment === 'inFlight' ? 'undecided' : 'accepted';
  }

  /**
   * The outcome of a flow that was cancelled before what it was for was sent, or whose request turned out to have made
   * nothing.
   * @param left what is at the API nevertheless
   */
  cancelled(left = 'the API has nothing of it'): Refusal {
    const by = this.cancelledBy ?? TEMPORAL;
    return new Refusal({ status: 'cancelled', reason: `cancelled by ${by.subject}; ${left}`, by });
  }

  finish(outcome: Outcome): void {
    this.progress.outcome = outcome;
    this.progress.endedAt = new Date().toISOString();
    this.progress.waitingFor = this.progress.calledBack = undefined;
    this.progress.attention = this.progress.approval = this.progress.block = undefined;
    if (this.attentionShown) this.showAttention(null);
    if (this.isUnresolved) this.events.attentionClosed(UNRESOLVED, {});
    this.events.ended(outcome);
  }

  private shown(): Progress {
    const { asks } = this.people;
    return asks.length > 0 ? { ...this.progress, asks } : this.progress;
  }

  private showAttention(value: string | null): void {
    this.attentionShown = value !== null;
    upsertSearchAttributes([{ key: FLOW_ATTENTION, value }]);
  }

  private mark(name: string, state: StepState): void {
    const at = new Date().toISOString();
    const known = this.progress.steps.find((step) => step.name === name);
    if (known) Object.assign(known, { state, at });
    else this.progress.steps.push({ name, state, at });
    this.progress.step = name;
    if (state !== 'active') this.progress.waitingFor = this.progress.since = undefined;
    this.emit('step', { name, state });
  }
}

/** A read that the API refused ends the flow with the API's reason; everything else stays what it is. */
function endingOf(error: unknown): unknown {
  if (isCancellation(error)) return error;
  const failure = apiFailure(error);
  if (!failure) return error;
  return new Refusal({
    status: 'failed',
    code: failure.code,
    reason: `${failure.endpoint}: ${failure.name}`,
    remedy: failure.remedy,
  });
}
