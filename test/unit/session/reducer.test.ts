import fc from 'fast-check';
import { CHALLENGE_CALLS } from '../../../src/domain/challengeCalls';
import type * as Ownership from '../../../workflows/session/ownership';
import { challengeIdOf } from '../../../workflows/session/record';
import type * as Reducer from '../../../workflows/session/reducer';
import type { SessionState } from '../../../workflows/session/state';
import { ACTIONS, RULES, type SessionRules, Simulation, type Step } from './simulation';

/** Number of scenarios. `SESSION_RUNS=10000 npx jest test/unit/session` tries more, and prints the counts. */
const RUNS = Number(process.env.SESSION_RUNS ?? 600);

const scenario = fc.record({
  auth: fc.constantFrom('pin' as const, 'login' as const),
  polls: fc.boolean(),
  steps: fc.array(fc.record<Step>({ action: fc.constantFrom(...ACTIONS), pick: fc.nat(30), luck: fc.nat(100) }), {
    minLength: 5,
    maxLength: 120,
    size: 'max',
  }),
});

/** Tries random scenarios. @returns how many events they had @throws the first broken promise */
function tryScenarios(rules: SessionRules, numRuns: number, seed?: number): number {
  let events = 0;
  const property = fc.property(scenario, ({ auth, polls, steps }) => {
    const simulation = new Simulation({ auth, polls, rules });
    for (const step of steps) simulation.take(step);
    simulation.finish();
    events += simulation.events;
  });
  fc.assert(property, { numRuns, includeErrorInReport: true, ...(seed !== undefined && { seed, endOnFailure: true }) });
  return events;
}

/**
 * Flows ask, cancel, release, close and are reset; replies are lost, webhooks come early, twice or late; the user ends
 * challenges, is disabled, locked and logged out; another program opens challenges; the session continues as new between
 * any two events. Whatever happens: the session answers each request once, opens one challenge at a time, gives none to
 * the wrong request, sends nothing twice, lets nothing wait endlessly, and keeps its state bounded.
 */
test('the rules of the session hold in random scenarios', () => {
  const events = tryScenarios(RULES, RUNS);
  if (process.env.SESSION_RUNS) process.stdout.write(`${RUNS} scenarios, ${events} events\n`);
  expect(events).toBeGreaterThan(RUNS * 10);
}, 600_000);

/** Loads the reducer with another answer to "Whose challenge is it?". */
function withOwnership(changes: Partial<typeof Ownership>): SessionRules {
  const path = '../../../workflows/session/ownership';
  let rules = RULES;
  jest.isolateModules(() => {
    jest.doMock(path, () => ({ ...jest.requireActual<typeof Ownership>(path), ...changes }));
    const { reduce } = jest.requireActual<typeof Reducer>('../../../workflows/session/reducer');
    rules = { ...RULES, reduce };
  });
  jest.dontMock(path);
  return rules;
}

const changed = (state: SessionState, changes: Partial<SessionState>): SessionState => ({ ...state, ...changes });

/** Faults that the scenarios must find: they were in earlier versions, or are easy to make. */
const FAULTS: Record<string, [rules: () => SessionRules, message: RegExp]> = {
  'a challenge is matched by its type only': [
    () =>
      withOwnership({
        ownChallenge(_state, { request }, listed) {
          const challenge = listed.find(({ type }) => type === CHALLENGE_CALLS[request!.call].type);
          return challenge ? { challenge } : 'none';
        },
      }),
    /which .* opened|the same challenge/,
  ],
  'the answer to a request that is withdrawn while it is sent is lost': [
    () => ({
      ...RULES,
      reduce(state, event, at) {
        const isSent = event.type === 'sent' || event.type === 'sendFailed';
        const record = isSent ? state.records[event.key] : undefined;
        const lost = record?.withdrawn
          ? changed(state, {
              records: { ...state.records, [(event as { key: string }).key]: { ...record, waiting: [] } },
            })
          : state;
        return RULES.reduce(lost, event, at);
      },
    }),
    /never answered/,
  ],
  'the queue is dropped when the session continues as new': [
    () => ({
      ...RULES,
      carry(state) {
        const kept = Object.entries(state.records).filter(([, record]) => record.state.name !== 'queued');
        return RULES.carry(changed(state, { records: Object.fromEntries(kept) }));
      },
    }),
    /never answered/,
  ],
  'the end of a challenge is forgotten if it comes before the response': [
    () => ({
      ...RULES,
      reduce: (state, event, at) =>
        event.type === 'update' &&
        Object.values(state.records).every((record) => challengeIdOf(record) !== event.update.id)
          ? RULES.reduce(state, { type: 'alarm' }, at)
          : RULES.reduce(state, event, at),
    }),
    /never answered/,
  ],
  'a request is answered again in the next run': [
    () => ({ ...RULES, carry: (state) => RULES.carry(changed(state, { seenRequestIds: [] })) }),
    /answered twice|changed its argument|executed twice/,
  ],
};

test.each(Object.entries(FAULTS))(
  'the scenarios find that %s',
  (_fault, [rules, message]) => {
    expect(() => tryScenarios(rules(), 20_000, 1)).toThrow(message);
  },
  600_000,
);
