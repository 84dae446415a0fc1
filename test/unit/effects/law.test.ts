import fc from 'fast-check';
import type { FailedAttempt } from '../../../src/domain/attempt';
import { type Happening, play, type Played, type Rules, RULES, scenarios } from './model';

/**
 * The law of effects: whatever happens to requests, workers and runs, the API executes a second request only after
 * lookups to which it responded found nothing, or after a person's decision.
 */
const secondEffectIsJustified = ({ happenings }: Played) =>
  betweenEffects(happenings).every((since) =>
    since.some((each) => each === 'nothingFound' || each === 'nothingMissed' || each === 'decidedToRetry'),
  );

/** If the API's lists show what exists, only a person's decision leads to a second effect. */
const secondEffectIsDecided = ({ happenings }: Played) =>
  happenings.includes('nothingMissed') || betweenEffects(happenings).every((since) => since.includes('decidedToRetry'));

/** If the API's lists show what exists, a flow ends without a result only if nothing exists, or a person decided. */
const endIsTrue = ({ happenings }: Played) =>
  !happenings.includes('effect') ||
  ['completed', 'adopted'].includes(happenings.at(-1)!) ||
  ['nothingMissed', 'decidedToRetry', 'decidedToGiveUp'].some((each) => happenings.includes(each as Happening));

/** If the API tells a run that it has executed a request with the key, only a person's decision leads to a second effect. */
const knownKeyIsBelieved = ({ happenings }: Played) =>
  betweenEffects(happenings)
    .map((since) => since.slice(since.lastIndexOf('reset') + 1))
    .every((since) => !since.includes('keyKnown') || since.includes('decidedToRetry'));

/** What happened between each two effects. */
function betweenEffects(happenings: Happening[]): Happening[][] {
  const positions = happenings.flatMap((each, index) => (each === 'effect' ? [index] : []));
  return positions.slice(1).map((position, index) => happenings.slice(positions[index], position));
}

const LAWS = { secondEffectIsJustified, secondEffectIsDecided, endIsTrue, knownKeyIsBelieved };
const RUNS = 50_000;

const check = (laws: ((played: Played) => boolean)[], rules: Rules, onPlayed: (played: Played) => void = () => {}) =>
  fc.check(
    fc.property(scenarios, (scenario) => {
      const played = play(scenario, rules);
      onPlayed(played);
      return laws.every((law) => law(played));
    }),
    { numRuns: RUNS, endOnFailure: true },
  );

test('no sequence of answers makes a second effect without a lookup that found nothing or a decision', () => {
  const counts = { runs: 0, requests: 0, lookUps: 0, decisions: 0, effects: 0, runsWithSecondEffect: 0 };
  const ends: Partial<Record<Happening, number>> = {};
  const result = check(Object.values(LAWS), RULES, ({ happenings, requests, lookUps, decisions }) => {
    const effects = happenings.filter((each) => each === 'effect').length;
    const end = happenings.at(-1)!;
    counts.runs++;
    counts.requests += requests;
    counts.lookUps += lookUps;
    counts.decisions += decisions;
    counts.effects += effects;
    counts.runsWithSecondEffect += effects > 1 ? 1 : 0;
    ends[end] = (ends[end] ?? 0) + 1;
  });
  if (process.env.PRINT_COUNTS) console.log({ ...counts, ends });
  expect(result.counterexample).toBeNull();
  // The scenarios reach what the law is about, and every way to end.
  expect(counts.runsWithSecondEffect).toBeGreaterThan(RUNS / 100);
  for (const end of ['completed', 'adopted', 'failed', 'cancelled'] as const)
    expect(ends[end]).toBeGreaterThan(RUNS / 100);
});

const { startAttempt, withFailure, failAttempt, afterFailure, afterLookUp } = RULES;

type LookUp = Parameters<typeof afterLookUp>[0];

/** A fault in one rule, and the laws that find it. */
const FAULTS: [fault: string, rules: Partial<Rules>, laws: (keyof typeof LAWS)[]][] = [
  [
    'a tainted refusal leads to a new ordinal without a lookup',
    {
      afterFailure: (failure, run) =>
        failure.kind === 'attention' ? { type: 'send', ordinal: 'new' } : afterFailure(failure, run),
    },
    ['secondEffectIsJustified', 'secondEffectIsDecided'],
  ],
  [
    'a call without a key is retried after a timeout',
    {
      retriesTimeouts: () => true,
      startAttempt: (...args) => ({ ...startAttempt(...args), notSent: undefined }),
    },
    ['secondEffectIsJustified', 'secondEffectIsDecided'],
  ],
  [
    'a lookup that failed is taken for one that found nothing',
    { afterLookUp: (command, _isConclusive, run) => afterLookUp(command, true, run) },
    ['secondEffectIsJustified', 'secondEffectIsDecided', 'endIsTrue'],
  ],
  [
    'a failure is believed without a lookup',
    {
      afterFailure: (failure, run) => afterLookUp(afterFailure(failure, run) as LookUp, true, run),
    },
    ['secondEffectIsJustified', 'secondEffectIsDecided', 'endIsTrue'],
  ],
  [
    'an activity reset is not noticed',
    {
      startAttempt: (mode, info, now) =>
        startAttempt(
          mode,
          info.attempt === 1 ? { ...info, notes: undefined, firstScheduledAt: info.scheduledAt } : info,
          now,
        ),
    },
    ['secondEffectIsJustified', 'secondEffectIsDecided'],
  ],
  [
    'a run after a reset sends without a lookup',
    { startAttempt: (mode, info, now) => startAttempt(mode, { ...info, senderRunId: undefined }, now) },
    ['secondEffectIsJustified', 'secondEffectIsDecided'],
  ],
  [
    'a key is trusted forever',
    { startAttempt: (...args) => ({ ...startAttempt(...args), notSent: undefined }) },
    ['secondEffectIsJustified', 'secondEffectIsDecided'],
  ],
  [
    'a refusal removes the taint of earlier attempts',
    {
      failAttempt: (started, call, haltedMs): FailedAttempt => {
        const isClean = call.outcome === 'none';
        return failAttempt(
          isClean ? { ...started, earlier: { ...started.earlier, taintedSince: undefined } } : started,
          call,
          haltedMs,
        );
      },
    },
    ['secondEffectIsJustified', 'secondEffectIsDecided'],
  ],
  [
    'a later activity forgets that an earlier request may have had the effect',
    { withFailure: (key, failure) => ({ ...withFailure(key, failure), isTainted: failure.tainted }) },
    ['knownKeyIsBelieved'],
  ],
  [
    'an attempt without notes is taken for one that sent nothing',
    {
      startAttempt: (mode, info, now) =>
        startAttempt(mode, info.notes ? info : { ...info, attempt: 1, firstScheduledAt: info.scheduledAt }, now),
    },
    ['secondEffectIsJustified', 'secondEffectIsDecided'],
  ],
];

describe.each(FAULTS)('%s', (_fault, rules, laws) => {
  test.each(laws)('breaks %s', (law) => {
    const result = check([LAWS[law]], { ...RULES, ...rules });
    if (process.env.PRINT_COUNTS) console.log(`${_fault}: ${law} broken in run ${result.numRuns}`);
    expect(result.failed).toBe(true);
  });
});
