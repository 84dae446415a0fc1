import fc from 'fast-check';
import { mayRepeat } from '../../../src/domain/activityTable';
import type { ApiFailure } from '../../../src/domain/apiFailure';
import {
  type AttemptNotes,
  failAttempt,
  type FailedCall,
  NOT_SENT_NAMES,
  type NotSent,
  startAttempt,
} from '../../../src/domain/attempt';
import {
  afterDecision,
  afterFailure,
  afterLookUp,
  type EffectCommand,
  INTERRUPTED,
  type KeyFacts,
  PREFLIGHT,
  SEND_SAME,
  UNUSED_KEY,
  withFailure,
} from '../../../src/domain/effectCommands';
import { KEY_MAX_AGE_MS, LOOK_UP_WAITS_MS } from '../../../src/domain/retryRules';
import { RESPONSES } from './tables';

/**
 * A model of one effect: `perform`, Temporal's server and the activity on a simulated clock, with the real rules, against
 * an API that counts effects. Generated turns decide everything that the rules do not.
 *
 * The model assumes what the rules assume: the API executes a request before its attempt ends or never, and recognizes
 * the key of an executed request for a little longer than `KEY_MAX_AGE_MS`. An operator may reset the activity and the
 * flow at any time.
 */

/** The rules under test. A fault replaces one of them. */
export const RULES = {
  startAttempt,
  failAttempt,
  afterFailure,
  afterLookUp,
  afterDecision,
  withFailure,
  /** Whether Temporal retries a mode's attempts that ended by a timeout (`OPTIONS` in workflows/kit/activities.ts). */
  retriesTimeouts: mayRepeat,
};
export type Rules = typeof RULES;

/** The world that an effect meets. */
export interface Scenario {
  mode: 'keyed' | 'unkeyed';
  /** What the API does with a key that it recognizes: refuses it with `156020`, or repeats its response. */
  knownKey: 'reject' | 'replay';
  /** How long the API recognizes a key. */
  keyMemoryMs: number;
  /** Whether a refused or limited request uses its key up. */
  refusalUsesKey: boolean;
  /** Whether an earlier flow with this ref, whose history no longer exists, has performed the effect. */
  earlierFlow: boolean;
  turns: Turn[];
}

/** One turn answers one question of the model: how an attempt, a lookup or a decision ends. */
export interface Turn {
  /** Time that passes before it. */
  pauseMs: number;
  attempt:
    | { type: 'answered' }
    /** A response of `RESPONSES`. If its outcome is unknown, the API may have executed the request. */
    | { type: 'responded'; response: string; isExecuted: boolean }
    | { type: 'timedOut'; isExecuted: boolean }
    /** The worker dies. Its notes may not have reached the server. */
    | { type: 'killed'; isExecuted: boolean; areNotesLost: boolean }
    /** An error that is not the API's. */
    | { type: 'crashed'; isExecuted: boolean }
    /** The breaker is open. */
    | { type: 'halted' }
    /** An operator resets the activity, with or without its notes. */
    | { type: 'activityReset'; areNotesDeleted: boolean };
  /** `missed`: the API's list does not show the effect yet. */
  lookUp: 'seen' | 'missed' | 'failed';
  choice: 'retry' | 'giveUp' | 'lookAgain';
  /** The flow is cancelled before the turn, or during it. */
  cancel?: 'before' | 'during';
  /** The flow is reset before the turn, to a point that many results back. */
  resetBy?: number;
}

/** When the turns are used up, everything works and persons give up. */
const LAST_TURN: Turn = { pauseMs: 0, attempt: { type: 'answered' }, lookUp: 'seen', choice: 'giveUp' };

const START = Date.UTC(2027, 0, 1);
const MINUTE = 60_000;
const YEAR_MS = 365 * 24 * 60 * MINUTE;
/** Longer than `KEY_MAX_AGE_MS`, because a request may arrive at the end of its attempt. */
const KEY_MEMORY_MS = KEY_MAX_AGE_MS + MINUTE;

const executed = fc.boolean();
const attempts: fc.Arbitrary<Turn['attempt']> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'answered' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('responded' as const),
      response: fc.constantFrom(...Object.keys(RESPONSES)),
      isExecuted: executed,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('timedOut' as const), isExecuted: executed }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('killed' as const),
      isExecuted: executed,
      areNotesLost: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('crashed' as const), isExecuted: executed }) },
  { weight: 1, arbitrary: fc.constant({ type: 'halted' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('activityReset' as const), areNotesDeleted: fc.boolean() }),
  },
);

const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const turns: fc.Arbitrary<Turn> = fc.record({
  pauseMs: fc.constantFrom(0, 0, 0, 0, MINUTE, 20 * MINUTE, 55 * MINUTE, 3 * 60 * MINUTE),
  attempt: attempts,
  lookUp: fc.constantFrom('seen', 'missed', 'failed'),
  choice: fc.constantFrom('retry', 'giveUp', 'lookAgain'),
  cancel: rarely(fc.constantFrom('before', 'during')),
  resetBy: rarely(fc.nat(4)),
});

/** Lists that show nothing yet, while the API delays the request and replies get lost. */
const turnsOfLaggingLists: fc.Arbitrary<Turn> = fc.record({
  pauseMs: fc.constant(0),
  attempt: fc.constantFrom<Turn['attempt'][]>(
    { type: 'responded', response: 'wait: code 155264', isExecuted: false },
    { type: 'timedOut', isExecuted: true },
    { type: 'answered' },
  ),
  lookUp: fc.constant('missed'),
  choice: fc.constantFrom('retry', 'giveUp', 'lookAgain'),
});

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  mode: fc.constantFrom('keyed', 'unkeyed'),
  knownKey: fc.constantFrom('reject', 'replay'),
  keyMemoryMs: fc.constantFrom(KEY_MEMORY_MS, Infinity),
  refusalUsesKey: fc.boolean(),
  earlierFlow: fc.boolean(),
  turns: fc.oneof(
    { weight: 9, arbitrary: fc.array(turns, { maxLength: 30, size: 'max' }) },
    { weight: 1, arbitrary: fc.array(turnsOfLaggingLists, { maxLength: 30, size: 'max' }) },
  ),
});

/** What happened, in order. */
export type Happening =
  /** The API executed a request. */
  | 'effect'
  /** Lookups to which the API responded found nothing; `nothingMissed`: because they missed the effect. */
  | 'nothingFound'
  | 'nothingMissed'
  /** The API refused a key because it had executed a request of this flow with it. */
  | 'keyKnown'
  | 'decidedToRetry'
  | 'decidedToGiveUp'
  /** A new run began, which forgets what the earlier one learned after that point. */
  | 'reset'
  | 'adopted'
  | 'completed'
  | 'failed'
  | 'cancelled';

export interface Played {
  happenings: Happening[];
  /** How many attempts sent a request. */
  requests: number;
  lookUps: number;
  decisions: number;
}

/** What `perform` keeps. A reset restores it. */
interface PerformState {
  ordinal: number;
  /** The run that may send without a lookup. */
  senderRun: number;
  key: KeyFacts;
}

type SendResult = { result: true } | { failure: ApiFailure };

/** Plays a scenario to its end. */
export function play(scenario: Scenario, rules: Rules = RULES): Played {
  return new Model(scenario, rules).play();
}

class Model {
  private readonly played: Played = { happenings: [], requests: 0, lookUps: 0, decisions: 0 };
  private now = START;
  /** Time of the execution by ordinal, which stands for the key. */
  private readonly executedAt = new Map<number, number>();
  private readonly turns: Iterator<Turn>;
  private turn = LAST_TURN;
  private isCancelled = false;
  /** Counts from 1. */
  private run = 1;
  private state: PerformState = { ordinal: 1, senderRun: 1, key: UNUSED_KEY };
  /** Ordinals whose key a refused request has used up. */
  private readonly usedKeys = new Set<number>();
  /** The points to which the flow may be reset. */
  private readonly history: { command: EffectCommand; state: PerformState }[] = [];

  constructor(
    private readonly scenario: Scenario,
    private readonly rules: Rules,
  ) {
    this.turns = scenario.turns[Symbol.iterator]();
    if (!scenario.earlierFlow) return;
    this.executedAt.set(1, this.now - YEAR_MS);
    this.happen('effect');
  }

  play(): Played {
    let command: EffectCommand = this.scenario.earlierFlow ? PREFLIGHT : SEND_SAME;
    for (;;) {
      this.history.push({ command, state: this.state });
      const next = this.execute(command);
      if (next === 'reset') command = this.resetPoint();
      else if (typeof next === 'string') return this.end(next);
      else command = next;
    }
  }

  private execute(command: EffectCommand): EffectCommand | Happening | 'reset' {
    const { rules } = this;
    const run = ({ runId = `${this.run}` }: Partial<ApiFailure>) => ({
      isReset: runId !== '1',
      isCancelled: this.isCancelled,
      ...this.state.key,
    });
    switch (command.type) {
      case 'send': {
        if (command.ordinal === 'new') this.state = { ...this.state, ordinal: this.state.ordinal + 1, key: UNUSED_KEY };
        const sent = this.send();
        if (sent === 'reset') return sent;
        if ('result' in sent) return 'completed';
        const { failure } = sent;
        const { senderRun } = this.state;
        this.state = {
          ...this.state,
          senderRun: failure.name === NOT_SENT_NAMES.laterRun ? Number(failure.runId) : senderRun,
          key: rules.withFailure(this.state.key, failure),
        };
        return rules.afterFailure(failure, run(failure));
      }
      case 'lookUp': {
        if (this.nextTurn()) return 'reset';
        if (command.patience !== 'once') this.now += LOOK_UP_WAITS_MS.reduce<number>((sum, wait) => sum + wait, 0);
        this.played.lookUps++;
        // An effect of an earlier flow lies before the start of this one.
        const exists = [...this.executedAt.values()].some((at) => command.range === 'anyTime' || at >= START);
        const { lookUp } = this.turn;
        if (exists && lookUp === 'seen') return 'adopted';
        if (lookUp !== 'failed') this.happen(exists ? 'nothingMissed' : 'nothingFound');
        return rules.afterLookUp(command, lookUp !== 'failed', run(command.failure));
      }
      case 'wait':
        if (this.nextTurn()) return 'reset';
        this.now += command.milliseconds;
        return SEND_SAME;
      case 'askToFix':
      case 'askForOutcome': {
        if (this.nextTurn()) return 'reset';
        this.played.decisions++;
        // A cancellation ends the wait for this decision, but not for the other one.
        if (command.type === 'askToFix' && this.isCancelled) return 'cancelled';
        const { choice } = this.turn;
        const allowed = choice === 'lookAgain' && command.type === 'askToFix' ? 'retry' : choice;
        if (allowed === 'retry') this.happen('decidedToRetry');
        if (allowed === 'giveUp') this.happen('decidedToGiveUp');
        return rules.afterDecision(command, allowed, run(command.failure));
      }
      case 'fail':
        return 'failed';
      case 'cancel':
        return 'cancelled';
    }
  }

  /** Runs the activity until it ends, with Temporal's retries. */
  private send(): SendResult | 'reset' {
    const { rules, scenario } = this;
    const firstScheduledAt = this.now;
    let notes: AttemptNotes | undefined;
    for (let attempt = 1; ; attempt++) {
      const scheduledAt = this.now;
      if (this.nextTurn()) return 'reset';
      // Temporal cancels an activity that is not running at once.
      if (this.isCancelled) return { failure: INTERRUPTED };
      const { attempt: ending, cancel } = this.turn;
      if (ending.type === 'activityReset') {
        if (ending.areNotesDeleted) notes = undefined;
        attempt = 0;
        this.now += 1_000;
        continue;
      }
      const started = rules.startAttempt(
        scenario.mode,
        {
          attempt,
          scheduledAt,
          firstScheduledAt,
          notes,
          runId: `${this.run}`,
          senderRunId: `${this.state.senderRun}`,
        },
        this.now,
      );
      if (cancel === 'during') this.isCancelled = true;
      if (ending.type === 'halted') {
        notes = started.earlier;
        if (this.isCancelled) return { failure: INTERRUPTED };
        this.now += MINUTE;
        continue;
      }
      if (started.notSent)
        return { failure: this.failureOf({ ...NO_RESPONSE, kind: 'resolve' }, true, started.notSent) };
      if (ending.type !== 'killed' || !ending.areNotesLost) notes = started.sending;
      this.played.requests++;
      const response = this.respond(ending);
      this.now += 20_000;
      if (response === 'answered') return { result: true };
      if (response === 'noResponse') {
        if (!rules.retriesTimeouts(scenario.mode) || this.isCancelled)
          return { failure: this.failureOf({ ...NO_RESPONSE, kind: 'resolve' }, true) };
        this.now += Math.min(1_000 * 2 ** (attempt - 1), MINUTE);
      } else if (response === 'error') {
        if (this.isCancelled) return { failure: INTERRUPTED };
        this.now += 1_000;
      } else {
        const failed = rules.failAttempt(started, response, MINUTE);
        ({ notes } = failed);
        const { reaction } = failed;
        if (reaction.type !== 'retry' || this.isCancelled) {
          const failure = this.failureOf(response, failed.tainted);
          return { failure: failed.wasRefused ? { ...failure, wasRefused: true } : failure };
        }
        this.now += reaction.delayMs ?? 1_000;
      }
    }
  }

  /** How the attempt looks from this side, after the API has executed its request or not. */
  private respond(
    ending: Exclude<Turn['attempt'], { type: 'halted' | 'activityReset' }>,
  ): 'answered' | 'noResponse' | 'error' | FailedCall {
    switch (ending.type) {
      case 'answered': {
        const isUsedUp = this.usedKeys.has(this.state.ordinal) && !this.executedAt.has(this.state.ordinal);
        const isKnown = !isUsedUp && !this.executeRequest();
        const isRejected = isUsedUp || (isKnown && this.scenario.knownKey === 'reject');
        if (isRejected && (this.executedAt.get(this.state.ordinal) ?? 0) >= START) this.happen('keyKnown');
        return isRejected ? RESPONSES['resolve: code 156020']! : 'answered';
      }
      case 'responded': {
        const response = RESPONSES[ending.response]!;
        if (response.outcome === 'unknown' && ending.isExecuted) this.executeRequest();
        const { mode, refusalUsesKey } = this.scenario;
        const isRefused = response.outcome === 'none' && response.status > 0;
        if (isRefused && refusalUsesKey && mode === 'keyed') this.usedKeys.add(this.state.ordinal);
        return response;
      }
      default:
        if (ending.isExecuted) this.executeRequest();
        return ending.type === 'crashed' ? 'error' : 'noResponse';
    }
  }

  /** @returns whether the API executed the request, rather than recognizing its key */
  private executeRequest(): boolean {
    const { mode, keyMemoryMs } = this.scenario;
    const { ordinal } = this.state;
    const executedAt = this.executedAt.get(ordinal);
    if (mode === 'keyed' && executedAt !== undefined && this.now - executedAt <= keyMemoryMs) return false;
    if (this.usedKeys.has(ordinal) && executedAt === undefined) return false;
    this.executedAt.set(ordinal, this.now);
    this.happen('effect');
    return true;
  }

  /** @returns whether the flow is reset instead */
  private nextTurn(): boolean {
    this.turn = (this.turns.next().value as Turn | undefined) ?? LAST_TURN;
    this.now += this.turn.pauseMs;
    if (this.turn.resetBy !== undefined) return true;
    if (this.turn.cancel === 'before') this.isCancelled = true;
    return false;
  }

  /** Begins a new run, which keeps the history of the latest one up to an earlier command. */
  private resetPoint(): EffectCommand {
    this.run++;
    this.happen('reset');
    const point = Math.max(this.history.length - 1 - this.turn.resetBy!, 0);
    const [{ command, state }] = this.history.splice(point) as [(typeof this.history)[number]];
    this.state = state;
    return command;
  }

  /** @param notSent why the attempt sent nothing */
  private failureOf({ code, kind, status }: FailedCall, tainted: boolean, notSent?: NotSent): ApiFailure {
    const isUnkeyed = this.scenario.mode === 'unkeyed' && notSent !== 'laterRun';
    const name = notSent && !isUnkeyed ? NOT_SENT_NAMES[notSent] : 'Failure';
    return { code, kind, status, tainted, name, endpoint: 'createTransfer', remedy: 'fix it', runId: `${this.run}` };
  }

  private happen(happening: Happening): void {
    this.played.happenings.push(happening);
  }

  private end(happening: Happening): Played {
    this.happen(happening);
    return this.played;
  }
}

const NO_RESPONSE: FailedCall = { code: 0, kind: 'transient', status: 0, outcome: 'unknown' };
