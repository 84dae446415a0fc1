import type { LaneMessage, LaneRequest, OutstandingTransaction } from '../../../src/domain/walletLane';
import { kindOf, type LaneCommand } from '../../../workflows/lane/commands';
import type { LaneEvent } from '../../../workflows/lane/events';
import { reduce } from '../../../workflows/lane/reducer';
import { CHECK_HOLD_AFTER_MS, initialState, isIdle, type LaneState } from '../../../workflows/lane/state';

/** What a simulated lane does. Tests replace a part with a faulty one. */
export interface LaneRules {
  reduce: typeof reduce;
  /** What the next run gets of the state. */
  carry(state: LaneState): LaneState;
}

export const RULES: LaneRules = {
  reduce,
  carry: (state) => JSON.parse(JSON.stringify(state)) as LaneState,
};

export interface SimulationOptions {
  /** 1 for a smart-contract wallet. */
  capacity: number;
  /** Whether runs of the lane get lost. Then nothing is promised about the order. */
  losesLanes: boolean;
  rules?: LaneRules;
}

/** One step of a scenario. `pick` chooses among what is possible. */
export interface Step {
  action: (typeof ACTIONS)[number];
  pick: number;
}

export const ACTIONS = [
  'ask',
  'ask',
  'ask',
  'execute',
  'execute',
  'execute',
  'send',
  'send',
  'mine',
  'mine',
  'stick',
  'giveUp',
  'close',
  'reset',
  'repeat',
  'foreign',
  'refuse',
  'carryOver',
  'lose',
  'notice',
  'advance',
] as const;

const WALLET = 'wallet';
const MINUTE = 60_000;

/** A flow that sends one transaction after another from the wallet. */
interface SimulatedFlow {
  id: string;
  firstRunId: string;
  closed: boolean;
  priority: number;
  /** Number of its current hold. */
  hold: number;
  phase: 'idle' | 'waiting' | 'held';
  sentAt: number;
  stuck: boolean;
  /** The lane that knew about it is lost. */
  mustTell: boolean;
  last?: LaneRequest;
}

/** A lane with its flows and the API, in a world where anything may happen in any order. */
export class Simulation {
  state: LaneState;
  events = 0;
  private at = 1_700_000_000_000;
  private nextId = 1;
  private running = new Map<string, LaneCommand>();
  /** What the API answers a list that has begun. */
  private answers = new Map<string, OutstandingTransaction[]>();
  /** Foreign transactions because of which the API has refused one, until a list has shown them. */
  private refusedBy: OutstandingTransaction[] = [];
  private readonly flows: SimulatedFlow[] = ['a', 'b', 'c', 'd', 'e'].map((id, index) => ({
    id,
    firstRunId: `${id}1`,
    closed: false,
    priority: index % 2,
    hold: 0,
    phase: 'idle',
    sentAt: 0,
    stuck: false,
    mustTell: false,
  }));
  private outstanding: OutstandingTransaction[] = [];
  private readonly rules: LaneRules;

  constructor(private readonly options: SimulationOptions) {
    this.rules = options.rules ?? RULES;
    this.state = initialState(this.at);
    this.dispatch({ type: 'alarm' });
  }

  take({ action, pick }: Step): void {
    this.at += 1 + (pick % 7);
    this[action](pick);
  }

  /** Everything that may end ends. Every flow that waits must then have its turn, and the lane must become idle. */
  finish(): void {
    for (let round = 0; round < 200; round++) {
      this.at += MINUTE;
      for (const flow of this.flows) this.tell(flow);
      this.settle();
      for (const flow of this.flows) this.proceed(flow);
      for (const transaction of this.outstanding) this.end(transaction);
      if (this.flows.every(({ closed, phase }) => closed || phase === 'idle')) break;
    }
    const waiting = this.flows.filter(({ closed, phase }) => !closed && phase !== 'idle');
    if (waiting.length > 0) throw new Error(`${waiting.map(({ id }) => id).join()} never had its turn`);
    for (let round = 0; round < 50; round++) {
      this.at += CHECK_HOLD_AFTER_MS;
      this.dispatch({ type: 'alarm' });
      this.settle();
    }
    if (!isIdle(this.state)) throw new Error(`the lane keeps what is over: ${JSON.stringify(this.state)}`);
  }

  private ask(pick: number): void {
    const flow = this.choose(
      this.flows.filter(({ closed, phase }) => !closed && phase === 'idle'),
      pick,
    );
    if (!flow) return;
    flow.hold++;
    flow.phase = 'waiting';
    flow.sentAt = this.at;
    this.acquire(flow);
  }

  private execute(pick: number): void {
    const commands = [...this.running.values()];
    for (let offset = 0; offset < commands.length; offset++) {
      if (this.carryOut(commands[(pick + offset) % commands.length]!)) return;
    }
  }

  /** A flow that has its turn sends a transaction. */
  private send(pick: number): void {
    const flow = this.choose(
      this.flows.filter((each) => !each.closed && each.phase === 'held' && !this.transactionOf(each)),
      pick,
    );
    if (flow) this.sendOf(flow);
  }

  private mine(pick: number): void {
    const transaction = this.choose(
      this.outstanding.filter(({ state }) => state !== 'STUCK'),
      pick,
    );
    if (transaction) this.end(transaction);
  }

  private stick(pick: number): void {
    const transaction = this.choose(this.outstanding, pick);
    if (!transaction) return;
    // Its fee was raised.
    if (transaction.state === 'STUCK') return this.end(transaction);
    transaction.state = 'STUCK';
    const flow = this.flows.find(({ id }) => id === transaction.flow);
    if (!flow || flow.closed || flow.phase !== 'held') return;
    flow.stuck = true;
    this.request(flow, { type: 'report', state: 'stuck', transactionId: transaction.id });
  }

  /** A flow is cancelled while it waits, or ends without a transaction. */
  private giveUp(pick: number): void {
    const flow = this.choose(
      this.flows.filter((each) => !each.closed && each.phase !== 'idle' && !this.transactionOf(each)),
      pick,
    );
    if (flow) this.release(flow);
  }

  private close(pick: number): void {
    const open = this.flows.filter(({ closed }) => !closed);
    const flow = this.choose(open, pick);
    if (!flow || open.length < 2) return;
    flow.closed = true;
    // Another flow gets the same workflow id.
    if (pick % 3 === 0)
      this.flows.push({
        ...flow,
        firstRunId: `${flow.id}${++this.nextId}`,
        closed: false,
        hold: 0,
        phase: 'idle',
        stuck: false,
      });
  }

  /** A flow goes back to the point before it asked. */
  private reset(pick: number): void {
    const flow = this.choose(
      this.flows.filter(({ closed, phase }) => !closed && phase !== 'idle'),
      pick,
    );
    if (!flow) return;
    // It may go back to an earlier hold. A turn of that hold that is on its way then is taken for the new one: at worst, the
    // API refuses a transaction, which is sent again later. So nothing is promised about that moment.
    const isOnItsWay = [...this.running.values()].some(
      (command) => command.name === 'deliver' && command.outgoing.flow === flow.id,
    );
    if (flow.hold > 1 && pick % 2 === 0 && !isOnItsWay && !this.transactionOf(flow)) {
      flow.hold--;
      flow.sentAt = this.at;
    }
    flow.phase = 'waiting';
    flow.stuck = false;
    this.acquire(flow);
  }

  /** A signal arrives twice, or a stranger sends a copy of an old one. */
  private repeat(pick: number): void {
    const flow = this.choose(
      this.flows.filter(({ last }) => last !== undefined),
      pick,
    );
    if (!flow) return;
    const isCurrent = flow.last!.hold === flow.hold && flow.last!.operation.type !== 'release';
    if (flow.closed || isCurrent || flow.phase === 'idle') this.dispatch({ type: 'request', request: flow.last! });
  }

  private foreign(): void {
    this.outstanding.push({ id: `foreign${this.nextId++}`, state: 'SENT' });
  }

  private refuse(): void {
    this.refusedBy = this.outstanding.filter(({ flow }) => flow === undefined);
    this.dispatch({ type: 'refused' });
  }

  private carryOver(): void {
    // The run finishes what it does not repeat.
    const begun = Array.from(this.running.values());
    for (const command of begun) if (kindOf(command) !== 'wait') this.carryOut(command);
    if ([...this.running.values()].some((command) => kindOf(command) !== 'wait')) return;
    this.running.clear();
    this.state = this.rules.carry(this.state);
    this.dispatch({ type: 'alarm' });
  }

  private lose(): void {
    if (!this.options.losesLanes) return;
    this.running.clear();
    this.state = initialState(this.at);
    for (const flow of this.flows) flow.mustTell = !flow.closed && flow.phase !== 'idle';
  }

  private notice(pick: number): void {
    const flow = this.choose(
      this.flows.filter(({ mustTell }) => mustTell),
      pick,
    );
    if (flow) this.tell(flow);
  }

  private advance(): void {
    this.at += 10 * MINUTE;
    this.dispatch({ type: 'alarm' });
  }

  private tell(flow: SimulatedFlow): void {
    if (!flow.mustTell) return;
    flow.mustTell = false;
    if (!flow.closed && flow.phase !== 'idle') this.acquire(flow);
  }

  private acquire(flow: SimulatedFlow): void {
    const held = flow.phase === 'held' && { held: true as const };
    const state = flow.stuck ? 'stuck' : 'open';
    const { priority } = flow;
    this.request(flow, { type: 'acquire', priority, capacity: this.options.capacity, state, ...held }, flow.sentAt);
  }

  private release(flow: SimulatedFlow): void {
    flow.phase = 'idle';
    flow.stuck = false;
    this.request(flow, { type: 'release' });
  }

  private request(flow: SimulatedFlow, operation: LaneRequest['operation'], sentAt = this.at): void {
    const { id, firstRunId, hold } = flow;
    flow.last = { flow: id, firstRunId, hold, sentAt, operation };
    this.dispatch({ type: 'request', request: flow.last });
  }

  private dispatch(event: LaneEvent): void {
    const before = this.state;
    const { state, commands } = this.rules.reduce(before, event, WALLET, this.at);
    this.state = state;
    this.events++;
    this.checkTurns(before, event);
    const wanted = new Set(commands.map(({ id }) => id));
    for (const [id, command] of this.running)
      if (kindOf(command) === 'wait' && !wanted.has(id)) this.running.delete(id);
    for (const command of commands) {
      if (this.running.has(command.id)) continue;
      this.running.set(command.id, command);
      if (command.name === 'list') this.answers.set(command.id, this.listed());
    }
  }

  /** Carries out everything that can be, one after another. */
  private settle(): void {
    for (let count = 0; count < 10_000; count++)
      if (![...this.running.values()].some((command) => this.carryOut(command))) return;
    throw new Error(`the lane never rests: ${[...this.running.keys()].join()}`);
  }

  /** @returns whether the command has ended */
  private carryOut(command: LaneCommand): boolean {
    const end = (event: LaneEvent) => {
      this.running.delete(command.id);
      this.dispatch(event);
      return true;
    };
    switch (command.name) {
      case 'deliver': {
        const { number, flow, firstRunId, message } = command.outgoing;
        const receiver = this.flows.find(({ id, closed }) => id === flow && !closed);
        if (!receiver) return end({ type: 'flowClosed', flow, firstRunId });
        this.receive(receiver, message);
        return end({ type: 'delivered', number });
      }
      case 'list':
        return end({ type: 'listed', outstanding: this.answers.get(command.id)! });
      case 'followOutstanding': {
        const listed = this.listed();
        const isUnchanged = (known: OutstandingTransaction) =>
          listed.some(({ id, state }) => id === known.id && (state === 'STUCK') === (known.state === 'STUCK'));
        return command.known.every(isUnchanged) ? false : end({ type: 'listed', outstanding: listed });
      }
      case 'followHolderEnd': {
        const { flow, firstRunId } = command;
        const runs = this.flows.some((each) => each.id === flow && each.firstRunId === firstRunId && !each.closed);
        return runs ? false : end({ type: 'flowClosed', flow, firstRunId });
      }
      case 'alarm':
        return command.at > this.at ? false : end({ type: 'alarm' });
    }
  }

  private receive(flow: SimulatedFlow, { firstRunId: of, hold, type }: LaneMessage): void {
    if (of !== flow.firstRunId || type !== 'granted') return;
    if (hold === flow.hold && flow.phase !== 'idle') flow.phase = 'held';
    // The flow was reset, or a copy of an earlier request got the lane.
    else {
      const operation = { type: 'release' } as const;
      const request: LaneRequest = { flow: flow.id, firstRunId: of, hold, sentAt: this.at, operation };
      this.dispatch({ type: 'request', request });
    }
  }

  private listed(): OutstandingTransaction[] {
    return this.outstanding.map(({ id, state, flow }) => ({ id, state, ...(flow !== undefined && { flow }) }));
  }

  private proceed(flow: SimulatedFlow): void {
    if (!flow.closed && flow.phase === 'held' && !this.transactionOf(flow)) this.sendOf(flow);
  }

  private sendOf(flow: SimulatedFlow): void {
    const others = this.outstanding.filter((each) => each.flow !== undefined);
    if (!this.options.losesLanes && others.length >= this.options.capacity)
      throw new Error(`${flow.id} sends although ${others.map((each) => each.flow).join()} has sent: not alone`);
    this.outstanding.push({ id: `t${this.nextId++}`, state: 'SENT', flow: flow.id });
  }

  private end(transaction: OutstandingTransaction): void {
    this.outstanding = this.outstanding.filter((each) => each !== transaction);
    const flow = this.flows.find(({ id, closed }) => id === transaction.flow && !closed);
    if (flow?.phase === 'held') this.release(flow);
  }

  /** A flow that has the ref of an earlier one goes on with the transaction of that one. */
  private transactionOf(flow: SimulatedFlow): OutstandingTransaction | undefined {
    return this.outstanding.find((each) => each.flow === flow.id);
  }

  private choose<T>(from: readonly T[], pick: number): T | undefined {
    return from[pick % Math.max(from.length, 1)];
  }

  /** Checks who has got the lane by an event. */
  private checkTurns(before: LaneState, event: LaneEvent): void {
    const isNew = (hold: LaneState['holds'][number]) =>
      before.holds.every((each) => each.firstRunId !== hold.firstRunId || each.hold !== hold.hold);
    const granted = this.state.holds.filter(isNew);
    if (event.type === 'request' && event.request.operation.type === 'acquire' && event.request.operation.held) return;
    for (const hold of granted) {
      const isOwn = (event.type === 'listed' ? (event.outstanding ?? []) : before.outstanding).some(
        ({ flow }) => flow === hold.flow,
      );
      if (isOwn) continue;
      const flow = this.flows.find(({ firstRunId }) => firstRunId === hold.firstRunId);
      const earlier = this.state.waiting.filter(
        ({ priority, sentAt }) =>
          flow && (priority < flow.priority || (priority === flow.priority && sentAt < flow.sentAt)),
      );
      if (earlier.length > 0) throw new Error(`${hold.flow} overtook ${earlier[0]!.flow}`);
      const isStuck = this.flows.some((flow) => flow.stuck && !flow.closed && flow.id !== hold.flow);
      if (isStuck && !this.options.losesLanes) throw new Error(`${hold.flow} got its turn behind a stuck transaction`);
      const isUnknown = ({ id }: OutstandingTransaction) => this.state.outstanding.every((each) => each.id !== id);
      if (this.refusedBy.some((each) => this.outstanding.includes(each) && isUnknown(each)) && !this.options.losesLanes)
        throw new Error(`${hold.flow} got its turn after a refusal, and no list has shown why`);
      if (this.state.holds.length + this.state.outstanding.length > this.options.capacity && !this.options.losesLanes)
        throw new Error(`${hold.flow} got its turn although all places were taken: not alone`);
    }
    this.check();
  }

  private check(): void {
    const seen = new Set<string>();
    for (const { firstRunId, hold } of [...this.state.holds, ...this.state.waiting]) {
      const key = `${firstRunId}.${hold}`;
      if (seen.has(key)) throw new Error(`${key} is in the lane twice`);
      seen.add(key);
    }
  }
}
