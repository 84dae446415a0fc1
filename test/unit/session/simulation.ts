import type { ApiFailure } from '../../../src/domain/apiFailure';
import { CHALLENGE_CALLS, type ChallengeCall } from '../../../src/domain/challengeCalls';
import { CODES } from '../../../src/domain/codes';
import {
  type ChallengeEnd,
  type ChallengeFacts,
  hasExpired,
  type SessionOperation,
  type SessionRequest,
  type UserAuth,
} from '../../../src/domain/userSession';
import { kindOf, type SessionCommand } from '../../../workflows/session/commands';
import type { SessionEvent } from '../../../workflows/session/events';
import { reduce } from '../../../workflows/session/reducer';
import {
  initialState,
  isIdle,
  LIMITS,
  SNAPSHOT_RETENTION_MS,
  type SessionState,
} from '../../../workflows/session/state';

/** What a simulated session does. Tests replace a part with a faulty one. */
export interface SessionRules {
  reduce: typeof reduce;
  /** What the next run gets of the state. */
  carry(state: SessionState): SessionState;
}

export const RULES: SessionRules = {
  reduce,
  carry: (state) => JSON.parse(JSON.stringify(state)) as SessionState,
};

export interface SimulationOptions {
  auth: UserAuth['method'];
  /** Whether the API answers reads of a challenge. If not, only webhooks report the ends, each at least once. */
  polls: boolean;
  rules?: SessionRules;
}

/** One step of a scenario. `pick` chooses among what is possible, and `luck` how it ends. */
export interface Step {
  action: (typeof ACTIONS)[number];
  pick: number;
  luck: number;
}

export const ACTIONS = [
  'ask',
  'complete',
  'complete',
  'complete',
  'execute',
  'execute',
  'userEnds',
  'userEnds',
  'webhook',
  'webhook',
  'cancel',
  'release',
  'close',
  'reset',
  'advance',
  'carryOver',
  'duplicate',
  'restrict',
  'recover',
  'foreign',
  'read',
  'lose',
  'notice',
] as const;

/** Half of the calls have an idempotency key. */
const CALLS: readonly ChallengeCall[] = ['updateUserPin', 'signUserMessage'];
const MINUTE = 60_000;

type SendCommand = Extract<SessionCommand, { name: 'send' }>;

interface ApiChallenge extends ChallengeFacts {
  /** Flow, step and ordinal of the request that opened it; `foreign` if something else did. */
  creator: string;
  /** The flow of the request. */
  flow: string;
}

/** A flow that asks its user for one approval after another, as `approve` does. */
interface SimulatedFlow {
  id: string;
  closed: boolean;
  run: number;
  ordinal: number;
  cancelled: boolean;
  /** It asks a person, because it is unknown whether its request opened a challenge. */
  isUnknown?: boolean;
  /** Another challenge is in front of its own, as far as it knows. */
  isQueued?: boolean;
  /** Requests that it has to send again, because the session is lost. */
  lost: SessionRequest[];
  /** Its first request. */
  asked?: { call: ChallengeCall; renewUntil?: number; at: number };
  /** What it waits for. */
  waits?: { requestId: string; for: 'opening' | 'search' | 'end'; challenge?: ChallengeFacts };
}

/** A session with its flows and the API, in a world where anything may happen in any order. */
export class Simulation {
  state: SessionState;
  events = 0;
  private at = 1_700_000_000_000;
  private running = new Map<string, SessionCommand>();
  /** The challenge that each effect opened. */
  private readonly executed = new Map<string, string>();
  /** Requests that a person has decided to send although an earlier one may have had the same name. */
  private readonly decided = new Set<string>();
  /** Commands whose request the API has carried out. */
  private readonly executedBy = new Set<SessionCommand>();
  private readonly challenges: ApiChallenge[] = [];
  private readonly flows: SimulatedFlow[] = ['a', 'b', 'c'].map((id) => ({
    id,
    closed: false,
    run: 1,
    ordinal: 0,
    cancelled: false,
    lost: [],
  }));
  private readonly requests: SessionRequest[] = [];
  /** How many requests went to sessions that are lost. */
  private lostRequests = 0;
  private hasForgotten = false;
  private readonly responses = new Map<string, number>();
  /** Requests of runs that no longer exist: a response may come or not. */
  private readonly abandoned = new Set<string>();
  private disabled = false;
  private lockedUntil = 0;
  private validTokens = 0;
  private readonly rules: SessionRules;
  private readonly polls: boolean;
  /** Challenges whose end a webhook has reported. */
  private readonly reported = new Set<string>();

  constructor({ auth, polls, rules = RULES }: SimulationOptions) {
    this.rules = rules;
    this.polls = polls;
    const tokens = { userToken: sealed('0'), encryptionKey: sealed('k'), refreshToken: sealed('r'), deviceId: 'd' };
    const user: UserAuth = auth === 'pin' ? { method: 'pin', userId: 'u' } : { method: 'login', userId: 'u', tokens };
    this.state = initialState({ auth: user }, this.at);
    this.dispatch({ type: 'alarm' });
  }

  take({ action, pick, luck }: Step): void {
    this.at += 1 + (luck % 50);
    const flow = this.flows[pick % this.flows.length]!;
    switch (action) {
      case 'ask':
        return this.ask(flow, CALLS[luck % CALLS.length]!, luck);
      case 'complete':
        return this.complete(pick, luck);
      case 'execute':
        return this.execute(luck);
      case 'userEnds':
        return this.userEnds(pick, luck);
      case 'webhook':
        return this.webhook(pick);
      case 'cancel':
        return this.cancel(flow);
      case 'release':
        return this.release(flow);
      case 'close':
        return this.close(flow);
      case 'reset':
        return this.reset(flow);
      case 'advance':
        return this.advance([1_000, 15_000, 5 * MINUTE, 90 * MINUTE, 20 * 24 * 60 * MINUTE][luck % 5]!);
      case 'carryOver':
        return this.carryOver();
      case 'duplicate':
        return this.duplicate(pick);
      case 'restrict':
        return this.restrict(luck);
      case 'recover':
        return this.recover();
      case 'foreign':
        return this.foreign();
      case 'read':
        return void this.request(flow, { type: 'readUser' });
      case 'lose':
        return this.lose(pick % 8 === 0);
      case 'notice':
        return this.notice(flow);
    }
  }

  /** Everything works from now on, and users approve. Nothing may wait after that. */
  finish(): void {
    for (const flow of this.flows) this.notice(flow);
    for (let step = 0; step < 3_000; step++) {
      for (const flow of this.flows) if (flow.closed) this.flowEnded(flow.id);
      this.recover();
      const command = [...this.running.values()].find((each) => this.canComplete(each));
      const isWanted = ({ id, status }: ApiChallenge) =>
        status === 'PENDING' && this.state.ended.every((e) => e.id !== id);
      const pending = this.challenges.find((each) => isWanted(each) && this.isFollowed(each.id));
      const unreported = this.challenges.find(({ id, status }) => status !== 'PENDING' && !this.reported.has(id));
      if (command) this.completeCommand(command, 0);
      else if (!this.polls && unreported) this.report(unreported);
      else if (pending) pending.status = 'COMPLETE';
      else {
        const alarm = [...this.running.values()].find((each) => each.name === 'alarm');
        if (!alarm || isIdle(this.state)) break;
        this.advance(alarm.at - this.at);
      }
    }
    const unanswered = this.requests.filter(({ id, operation }) => isAnswered(operation) && !this.responses.has(id));
    const waiting = unanswered.filter(({ id }) => !this.abandoned.has(id));
    if (waiting.length > 0) throw new Error(`never answered: ${waiting.map(describe).join(', ')}`);
    if (!isIdle(this.state)) throw new Error(`not idle at the end: ${[...this.running.keys()].join(', ')}`);
  }

  // What flows do.

  private ask(flow: SimulatedFlow, call: ChallengeCall, luck: number): void {
    if (flow.closed || flow.waits) return;
    flow.cancelled = false;
    const { at = this.at } = flow.asked ?? {};
    flow.asked = { call, at, ...(luck % 3 === 0 && { renewUntil: this.at + (luck % 7) * 30 * MINUTE }) };
    flow.ordinal += 1;
    if (flow.isUnknown) this.decided.add(`${flow.id}~s.${flow.ordinal}`);
    flow.isUnknown = false;
    this.open(flow);
  }

  private open(flow: SimulatedFlow): void {
    const { call, renewUntil } = flow.asked!;
    const challengeRequest = { effect: effectOf(flow), call, body: {} };
    const operation = { type: 'openChallenge', challengeRequest, ...(renewUntil && { renewUntil }) } as const;
    flow.waits = { requestId: this.request(flow, operation), for: 'opening' };
  }

  private respond(
    flow: SimulatedFlow,
    requestId: string,
    response: { value: unknown } | { failure: ApiFailure },
  ): void {
    if (flow.waits?.requestId !== requestId) return;
    const { for: purpose, challenge } = flow.waits;
    flow.waits = undefined;
    if ('failure' in response) {
      flow.isUnknown = response.failure.tainted;
      // As `perform`: after an unknown outcome it searches, and then a person decides on a new request.
      if (response.failure.tainted && purpose === 'opening')
        flow.waits = {
          requestId: this.request(flow, {
            type: 'findChallenge',
            sent: { effect: effectOf(flow), call: flow.asked!.call },
          }),
          for: 'search',
        };
      else if (purpose === 'end' && challenge && response.failure.name !== 'Withdrawn') this.awaitEnd(flow, challenge);
      return;
    }
    if (purpose !== 'end') {
      const opened = response.value as ChallengeFacts | undefined;
      if (!opened) return;
      this.checkOwner(flow, opened.id);
      return this.awaitEnd(flow, opened);
    }
    const end = response.value as ChallengeEnd;
    this.checkOwner(flow, end.id);
    flow.ordinal = Math.max(flow.ordinal, end.ordinal ?? 0);
    if (end.renewalUnknown) return this.open(flow);
    if (hasExpired(end) && !flow.cancelled) {
      flow.ordinal += 1;
      this.open(flow);
    }
  }

  private awaitEnd(flow: SimulatedFlow, challenge: ChallengeFacts): void {
    const opened = { effect: effectOf(flow), call: flow.asked!.call };
    const { id: challengeId, type: challengeType } = challenge;
    const operation = { type: 'awaitChallengeEnd', challengeId, challengeType, opened } as const;
    flow.waits = { requestId: this.request(flow, operation), for: 'end', challenge };
  }

  private cancel(flow: SimulatedFlow): void {
    if (!flow.waits || flow.waits.for === 'search') return;
    flow.cancelled = true;
    this.request(flow, { type: 'withdraw', effect: effectOf(flow) });
  }

  private release(flow: SimulatedFlow): void {
    const challenge = flow.waits?.challenge;
    if (challenge) this.request(flow, { type: 'releaseChallenge', challengeId: challenge.id });
  }

  private close(flow: SimulatedFlow): void {
    if (flow.closed) return;
    flow.closed = true;
    flow.waits = undefined;
    flow.lost = [];
    flow.isQueued = false;
    for (const { id, flow: owner } of this.requests) if (owner === flow.id) this.abandoned.add(id);
  }

  /**
   * The flow begins again: its effects have the same names, and its requests new ids. The session has forgotten a request
   * with an unknown outcome after 14 days.
   */
  private reset(flow: SimulatedFlow): void {
    if (!flow.asked || this.at > flow.asked.at + SNAPSHOT_RETENTION_MS) return;
    this.close(flow);
    Object.assign(flow, { closed: false, run: flow.run + 1, ordinal: 1, cancelled: false });
    this.open(flow);
    this.forget();
  }

  private request(flow: SimulatedFlow, operation: SessionOperation): string {
    if (flow.closed) return '';
    const id = `${flow.id}${flow.run}-${this.requests.length}`;
    const isReset = flow.run > 1 && { mayBeSent: true as const };
    const firstRunId = `run of ${flow.id}`;
    const request: SessionRequest = { id, flow: flow.id, firstRunId, sentAt: this.at, operation, ...isReset };
    this.requests.push(request);
    this.dispatch({ type: 'request', request });
    // It went to another run than the requests before.
    this.notice(flow);
    return request.id;
  }

  /** The session ends with everything that it knows. */
  private lose(isLost: boolean): void {
    if (!isLost) return;
    for (const flow of this.flows)
      flow.lost = this.requests.filter(
        ({ id, flow: owner, operation }) =>
          owner === flow.id && isAnswered(operation) && !this.responses.has(id) && !this.abandoned.has(id),
      );
    this.forget();
    this.lostRequests = this.requests.length;
    // A poll would report them again.
    this.reported.clear();
    this.running.clear();
    this.state = initialState({ auth: this.state.auth }, this.at);
    this.validTokens = 0;
    this.dispatch({ type: 'alarm' });
  }

  /** The session no longer knows what was sent. It cannot tell a challenge of another program from those of its flows. */
  private forget(): void {
    this.hasForgotten = true;
    const isAwaited = ({ creator }: ApiChallenge) =>
      this.flows.some(({ id, waits }) => waits && creator.startsWith(`${id}~`));
    for (const challenge of this.challenges)
      if (challenge.status === 'PENDING' && !isAwaited(challenge)) challenge.status = 'EXPIRED';
  }

  /** The flow notices that the session is lost, and sends its open requests again. */
  private notice(flow: SimulatedFlow): void {
    const { lost, isQueued, cancelled } = flow;
    if (lost.length === 0) return;
    flow.lost = [];
    flow.isQueued = false;
    const resent = cancelled ? { withdrawn: true as const } : {};
    for (const request of lost) {
      if (!isQueued) request.mayBeSent = true;
      if (!this.responses.has(request.id)) this.dispatch({ type: 'request', request: { ...request, resent } });
    }
  }

  private duplicate(pick: number): void {
    // A signal arrives twice within moments, and so at the same session.
    const known = this.requests.slice(this.lostRequests);
    const request = known[pick % known.length];
    if (request) this.dispatch({ type: 'request', request });
  }

  // What the user, the API and others do.

  private userEnds(pick: number, luck: number): void {
    const pending = this.challenges.filter(({ status }) => status === 'PENDING');
    const challenge = pending[pick % pending.length];
    if (!challenge) return;
    challenge.status = ['COMPLETE', 'EXPIRED', 'EXPIRED', 'FAILED'][luck % 4]!;
    if (challenge.status === 'FAILED') challenge.errorCode = 155701;
  }

  /** Also twice, and also for a challenge that the session does not know yet, or no longer. */
  private webhook(pick: number): void {
    const ended = this.challenges.filter(({ status }) => status !== 'PENDING');
    const challenge = ended[pick % ended.length];
    if (challenge) this.report(challenge);
  }

  private report({ id, type, status, errorCode }: ApiChallenge): void {
    this.reported.add(id);
    const expired = status === 'EXPIRED' ? { status: 'FAILED', errorCode: CODES.challengeExpired } : {};
    const facts = { id, type, status, correlationIds: [], ...(errorCode && { errorCode }), ...expired };
    this.dispatch({ type: 'update', update: { notificationId: `n-${id}`, userId: 'u', ...facts } });
  }

  /** Another program opens a challenge, at a moment when the session can tell it from its own. */
  private foreign(): void {
    const isUncertain = Object.values(this.state.records).some(
      ({ state: { name } }) => name === 'listed' || name === 'sent',
    );
    if (!isUncertain && !this.hasForgotten) this.addChallenge('updateUserPin', 'foreign', '');
  }

  private restrict(luck: number): void {
    if (luck % 3 === 0) this.disabled = true;
    else if (luck % 3 === 1) this.lockedUntil = this.at + 30 * MINUTE;
    else this.validTokens += 1;
  }

  private recover(): void {
    this.disabled = false;
    this.lockedUntil = 0;
    if (this.state.restriction?.reason !== 'loggedOut') return;
    const requester = this.flows.find(({ closed }) => !closed);
    const flow = requester?.id ?? 'a';
    const tokens = { userToken: sealed('new'), encryptionKey: sealed('k'), refreshToken: sealed('r'), deviceId: 'd' };
    const operation = { type: 'login', tokens } as const;
    const request = { id: `login-${this.events}`, flow, firstRunId: `run of ${flow}`, sentAt: this.at, operation };
    this.dispatch({ type: 'request', request });
    this.validTokens = this.state.tokensVersion;
  }

  private advance(ms: number): void {
    // A flow notices within five minutes.
    if (ms >= 5 * MINUTE) for (const flow of this.flows) this.notice(flow);
    this.at += ms;
    const due = [...this.running.values()].filter((each) => each.name === 'alarm' && each.at <= this.at);
    for (const command of due) this.completeCommand(command, 0);
  }

  // What the runner does.

  private dispatch(event: SessionEvent): void {
    this.events += 1;
    const before = JSON.stringify(this.state);
    const { state, commands } = this.rules.reduce(this.state, event, this.at);
    if (JSON.stringify(this.state) !== before) throw new Error(`the reducer changed its argument at ${event.type}`);
    this.state = state;
    this.check();
    this.sync(commands);
  }

  private sync(commands: readonly SessionCommand[]): void {
    const wanted = new Set(commands.map(({ id }) => id));
    if (wanted.size !== commands.length) throw new Error('two commands have the same id');
    for (const [id, command] of this.running)
      if (kindOf(command) === 'wait' && !wanted.has(id)) this.running.delete(id);
    for (const command of commands) {
      if (this.running.has(command.id)) continue;
      this.running.set(command.id, command);
      if (command.name !== 'send') continue;
      const others = Object.values(this.state.records).filter(({ state: { name } }) => name === 'open');
      if (this.state.records[command.key]!.state.name === 'listed' && others.length > 0)
        throw new Error('a request is sent while another challenge is open');
      return this.dispatch({ type: 'sending', key: command.key });
    }
  }

  private complete(pick: number, luck: number): void {
    const possible = [...this.running.values()].filter((each) => this.canComplete(each));
    const command = possible[pick % possible.length];
    if (command) this.completeCommand(command, luck);
  }

  private canComplete(command: SessionCommand): boolean {
    if (command.name === 'alarm') return command.at <= this.at;
    if (command.name === 'followUserEnabled') return !this.disabled;
    if (command.name === 'followFlowEnd') return this.flows.some(({ id, closed }) => id === command.flow && closed);
    if (command.name === 'follow')
      return (
        this.refusal(command.tokensVersion) !== undefined ||
        (this.polls && this.find(command.challengeId)?.status !== 'PENDING')
      );
    return true;
  }

  private completeCommand(command: SessionCommand, luck: number): void {
    const event = this.resultOf(command, luck);
    if (this.running.get(command.id) !== command) return;
    this.running.delete(command.id);
    this.dispatch(event);
  }

  private resultOf(command: SessionCommand, luck: number): SessionEvent {
    switch (command.name) {
      case 'list': {
        const { key, tokensVersion } = command;
        const failure = this.refusal(tokensVersion) ?? (luck % 11 === 1 ? refused(2) : undefined);
        const challenges = this.challenges.filter(({ status }) => status === 'PENDING').map(facts);
        return failure ? { type: 'listFailed', key, failure, tokensVersion } : { type: 'listed', key, challenges };
      }
      case 'send':
        return this.resultOfSend(command, luck);
      case 'follow': {
        const { challengeId, tokensVersion } = command;
        const failure = this.refusal(tokensVersion) ?? (luck % 11 === 1 ? refused(2) : undefined);
        return failure
          ? { type: 'followFailed', challengeId, failure, tokensVersion }
          : { type: 'ended', challenge: facts(this.find(challengeId)!) };
      }
      case 'read':
        return { type: 'readDone', challengeId: command.challengeId };
      case 'answer':
        return { type: 'answered', requestId: command.request.id, value: {} };
      case 'renewTokens': {
        const { tokensVersion, tokens } = command;
        if (luck % 3 === 1) return { type: 'renewalFailed', failure: refused(155118), tokensVersion };
        this.validTokens = this.state.tokensVersion + 1;
        return { type: 'tokensRenewed', tokens, tokensVersion };
      }
      case 'readUser':
        if (luck % 5 === 1) return { type: 'userRead' };
        return {
          type: 'userRead',
          user: {
            status: this.disabled ? 'DISABLED' : 'ENABLED',
            pinStatus: this.at < this.lockedUntil ? 'LOCKED' : 'ENABLED',
            pinLockedForMs: Math.max(this.lockedUntil - this.at, 0),
          },
        };
      case 'followUserEnabled':
        return { type: 'userEnabled' };
      case 'deliver':
        return this.deliver(command);
      case 'park':
        return { type: 'parked' };
      case 'followFlowEnd':
        return { type: 'flowClosed', flow: command.flow, requestCount: command.requestCount };
      case 'alarm':
        return { type: 'alarm' };
    }
  }

  /** The API carries out a request that is being sent. Its response may be lost. */
  private execute(luck: number): void {
    const sending = [...this.running.values()].find((command) => command.name === 'send');
    if (sending && luck % 2 === 0 && !this.executedBy.has(sending)) this.carryOut(sending);
  }

  private carryOut(command: SendCommand): string {
    const { call, effect } = command.request;
    const name = nameOf(command);
    const known = this.executed.get(name);
    if (known !== undefined && (call === 'updateUserPin' || this.executedBy.has(command))) return known;
    if (known !== undefined && !this.decided.delete(name)) throw new Error(`${call} was executed twice for ${name}`);
    const id = this.addChallenge(call, name, effect.flow);
    this.executed.set(name, id);
    this.executedBy.add(command);
    return id;
  }

  private resultOfSend(command: SendCommand, luck: number): SessionEvent {
    const { key, tokensVersion } = command;
    const failed = (failure: ApiFailure): SessionEvent => ({ type: 'sendFailed', key, failure, tokensVersion });
    const access = this.refusal(tokensVersion) ?? (this.at < this.lockedUntil ? refused(CODES.pinLocked) : undefined);
    if (access) return failed({ ...access, tainted: this.executedBy.has(command) });
    if (luck % 7 === 1) this.carryOut(command);
    if (luck % 7 === 1 || luck % 7 === 2) return failed({ ...refused(0), kind: 'resolve', tainted: true });
    const isRefused = luck % 7 === 3 && !this.executedBy.has(command);
    if (isRefused) return failed(refused(this.executed.has(nameOf(command)) ? CODES.idempotencyKeyUsed : 2));
    return { type: 'sent', key, challengeId: this.carryOut(command) };
  }

  private deliver({
    outgoing: { flow: id, message, number },
    requestCount,
  }: Extract<SessionCommand, { name: 'deliver' }>): SessionEvent {
    const flow = this.flows.find((each) => each.id === id)!;
    if (flow.closed) return { type: 'flowClosed', flow: id, requestCount };
    if ('restriction' in message) flow.isQueued = message.restriction?.reason === 'otherChallenge';
    if ('id' in message) {
      const count = (this.responses.get(message.id) ?? 0) + 1;
      this.responses.set(message.id, count);
      if (count > 1) throw new Error(`answered twice: ${message.id}`);
      this.running.delete(`deliver/${number}`);
      this.state = this.rules.reduce(this.state, { type: 'delivered', number }, this.at).state;
      this.respond(flow, message.id, message);
      this.dispatch({ type: 'alarm' });
    }
    return { type: 'delivered', number };
  }

  /** The run ends: it finishes what it must, and the next one starts from the state alone. */
  private carryOver(): void {
    for (let step = 0; step < 500; step++) {
      const command = [...this.running.values()].find(
        (each) => kindOf(each) === 'message' || (kindOf(each) === 'finish' && this.canComplete(each)),
      );
      if (!command) break;
      const before = new Set(this.running.keys());
      this.completeCommand(command, 0);
      // The run starts nothing new except messages. A command that it does not start leaves no trace.
      for (const [id, each] of this.running)
        if (!before.has(id) && kindOf(each) !== 'message' && each.name !== 'send') this.running.delete(id);
    }
    this.running.clear();
    this.state = this.rules.carry(this.state);
    this.dispatch({ type: 'alarm' });
  }

  private flowEnded(id: string): void {
    const isKnown = JSON.stringify([this.state.records, this.state.reads, this.state.outbox]).includes(`"${id}"`);
    if (isKnown) this.dispatch({ type: 'flowClosed', flow: id, requestCount: this.state.requestCount });
  }

  // What the API answers.

  /** The failure of a call with these tokens. */
  private refusal(tokensVersion: number): ApiFailure | undefined {
    if (this.disabled) return refused(CODES.userDisabled);
    if (this.state.auth.method === 'login' && tokensVersion < this.validTokens) return refused(155104);
    return undefined;
  }

  private addChallenge(call: ChallengeCall, creator: string, flow: string): string {
    const id = `c${this.challenges.length + 1}`;
    this.challenges.push({
      id,
      type: CHALLENGE_CALLS[call].type,
      status: 'PENDING',
      correlationIds: [],
      creator,
      flow,
    });
    return id;
  }

  private find(id: string): ApiChallenge | undefined {
    return this.challenges.find((each) => each.id === id);
  }

  private isFollowed(id: string): boolean {
    return [...this.running.values()].some((command) => command.name === 'follow' && command.challengeId === id);
  }

  // What must always hold.

  private checkOwner(flow: SimulatedFlow, challengeId: string): void {
    const challenge = this.find(challengeId);
    if (!challenge?.creator.startsWith(`${flow.id}~`))
      throw new Error(`${flow.id} got ${challengeId}, which ${challenge?.creator} opened`);
  }

  private check(): void {
    const { seenRequestIds, ended, earlyUpdates, records } = this.state;
    const all = Object.values(records).filter(({ waiting }) => waiting.length === 0);
    const over = all.filter(({ state: { name } }) => name === 'over').length;
    const isBounded =
      seenRequestIds.length <= LIMITS.seenRequestIds &&
      ended.length <= LIMITS.ended &&
      earlyUpdates.length <= LIMITS.earlyUpdates &&
      over <= LIMITS.over;
    if (!isBounded) throw new Error('the state grows without bound');
    const ids = Object.values(records).flatMap(({ state }) => (state.name === 'open' ? [state.id] : []));
    if (new Set(ids).size !== ids.length) throw new Error('two requests have the same challenge');
  }
}

function effectOf({ id, ordinal }: SimulatedFlow) {
  return { flow: id, ref: 'r', step: 's', ordinal };
}

function facts({ id, type, status, correlationIds, errorCode }: ApiChallenge): ChallengeFacts {
  return { id, type, status, correlationIds, ...(errorCode && { errorCode }) };
}

function refused(code: number): ApiFailure {
  return { code, name: `Code${code}`, status: 400, endpoint: '', kind: 'refused', remedy: '', tainted: false };
}

function sealed(text: string) {
  return { sealed: text } as never;
}

function isAnswered({ type }: SessionOperation): boolean {
  return ['openChallenge', 'findChallenge', 'awaitChallengeEnd', 'readUser'].includes(type);
}

function nameOf({ request: { effect } }: SendCommand): string {
  return `${effect.flow}~${effect.step}.${effect.ordinal}`;
}

function describe({ id, operation: { type } }: SessionRequest): string {
  return `${type} ${id}`;
}
