import fc from 'fast-check';
import type { LaneState } from '../../../workflows/lane/state';
import { ACTIONS, type LaneRules, RULES, Simulation, type Step } from './simulation';

/** Number of scenarios. `LANE_RUNS=100000 npx jest test/unit/lane` tries more, and prints the counts. */
const RUNS = Number(process.env.LANE_RUNS ?? 2_000);

const scenario = fc.record({
  capacity: fc.constantFrom(1, 1, 3),
  losesLanes: fc.boolean(),
  steps: fc.array(fc.record<Step>({ action: fc.constantFrom(...ACTIONS), pick: fc.nat(30) }), {
    minLength: 5,
    maxLength: 120,
    size: 'max',
  }),
});

/** Tries random scenarios. @returns how many events they had @throws the first broken promise */
function tryScenarios(rules: LaneRules, numRuns: number, seed?: number): number {
  let events = 0;
  const property = fc.property(scenario, ({ capacity, losesLanes, steps }) => {
    const simulation = new Simulation({ capacity, losesLanes, rules });
    for (const step of steps) simulation.take(step);
    simulation.finish();
    events += simulation.events;
  });
  fc.assert(property, { numRuns, includeErrorInReport: true, ...(seed !== undefined && { seed, endOnFailure: true }) });
  return events;
}

/**
 * Flows ask, send, give up, close and are reset; signals come twice; transactions get stuck; another program sends; the
 * lane continues as new or is lost. Whatever happens: a turn goes to whoever has waited longest in its priority; no more
 * flows than the capacity send at a time; nobody sends behind a stuck transaction; every flow has its turn; and nothing
 * stays in the lane.
 */
test('the rules of the lane hold in random scenarios', () => {
  const events = tryScenarios(RULES, RUNS);
  if (process.env.LANE_RUNS) process.stdout.write(`${RUNS} scenarios, ${events} events\n`);
  expect(events).toBeGreaterThan(RUNS * 10);
}, 600_000);

const changed = (state: LaneState, changes: Partial<LaneState>): LaneState => ({ ...state, ...changes });

/** Faults that the scenarios must find: they are easy to make. */
const FAULTS: Record<string, [rules: LaneRules, message: RegExp]> = {
  'a lane that is released twice takes two more flows': [
    {
      ...RULES,
      reduce(state, event, wallet, at) {
        const isRelease = event.type === 'request' && event.request.operation.type === 'release';
        const isKnown =
          isRelease &&
          [...state.holds, ...state.waiting].some(
            ({ firstRunId, hold }) => firstRunId === event.request.firstRunId && hold === event.request.hold,
          );
        return RULES.reduce(
          isRelease && !isKnown ? changed(state, { holds: state.holds.slice(1) }) : state,
          event,
          wallet,
          at,
        );
      },
    },
    /not alone/,
  ],
  'a flow that no longer runs keeps the lane': [
    {
      ...RULES,
      reduce: (state, event, wallet, at) =>
        RULES.reduce(state, event.type === 'flowClosed' ? { type: 'alarm' } : event, wallet, at),
    },
    /never had its turn|never rests|keeps what is over/,
  ],
  'the first transaction of a smart-contract wallet is not alone': [
    {
      ...RULES,
      reduce(state, event, wallet, at) {
        if (event.type !== 'request' || event.request.operation.type !== 'acquire')
          return RULES.reduce(state, event, wallet, at);
        const { request } = event;
        const operation = { ...request.operation, capacity: 2 } as typeof request.operation;
        return RULES.reduce(state, { type: 'request', request: { ...request, operation } }, wallet, at);
      },
    },
    /not alone/,
  ],
  'a stuck transaction does not stop those behind it': [
    {
      ...RULES,
      reduce(state, event, wallet, at) {
        const isStuck = event.type === 'request' && event.request.operation.type === 'report';
        if (isStuck) return RULES.reduce(state, { type: 'alarm' }, wallet, at);
        return RULES.reduce(state, event, wallet, at);
      },
    },
    /stuck/,
  ],
  'the flows that wait are dropped when the lane continues as new': [
    { ...RULES, carry: (state) => RULES.carry(changed(state, { waiting: [] })) },
    /never had its turn/,
  ],
  'a flow that was reset gets no second answer': [
    {
      ...RULES,
      reduce(state, event, wallet, at) {
        const isAgain =
          event.type === 'request' &&
          event.request.operation.type === 'acquire' &&
          state.holds.some(
            ({ firstRunId, hold }) => firstRunId === event.request.firstRunId && hold === event.request.hold,
          );
        return RULES.reduce(state, isAgain ? { type: 'alarm' } : event, wallet, at);
      },
    },
    /never had its turn/,
  ],
  'a list that began before a refusal answers it': [
    {
      ...RULES,
      reduce: (state, event, wallet, at) =>
        RULES.reduce(state, event.type === 'refused' && state.mustList ? { type: 'alarm' } : event, wallet, at),
    },
    /no list has shown why/,
  ],
  'urgent flows wait behind others': [
    {
      ...RULES,
      reduce(state, event, wallet, at) {
        const next = RULES.reduce(state, event, wallet, at);
        return { ...next, state: changed(next.state, { waiting: [...next.state.waiting].reverse() }) };
      },
    },
    /overtook/,
  ],
};

test.each(Object.entries(FAULTS))(
  'the scenarios find that %s',
  (_fault, [rules, message]) => {
    expect(() => tryScenarios(rules, 20_000, 1)).toThrow(message);
  },
  600_000,
);
