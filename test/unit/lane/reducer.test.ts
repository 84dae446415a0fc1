import fc from 'fast-check';
import type { LaneOperation } from '../../../src/domain/walletLane';
import type { LaneEvent } from '../../../workflows/lane/events';
import { reduce } from '../../../workflows/lane/reducer';
import { carriedState } from '../../../workflows/lane/carriedState';
import { initialState, type LaneState, MAX_WAITING } from '../../../workflows/lane/state';
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

describe('a lane', () => {
  const request = (flow: string, operation: LaneOperation, sentAt = 1): LaneEvent => ({
    type: 'request',
    request: { flow, firstRunId: flow, hold: 1, sentAt, operation },
  });
  const acquire = (flow: string, { priority = 3, sentAt = 1 } = {}) =>
    request(flow, { type: 'acquire', priority, capacity: 1, state: 'open' }, sentAt);
  /** The state after these events. */
  const after = (events: readonly LaneEvent[], from: LaneState = initialState(0)) =>
    events.reduce((state, event) => reduce(state, event, 'wallet', 0).state, from);
  const LISTED: LaneEvent = { type: 'listed', outstanding: [] };
  const holders = ({ holds }: LaneState) => holds.map(({ flow }) => flow);
  const commandNames = (state: LaneState) =>
    reduce(state, { type: 'alarm' }, 'wallet', 0).commands.map(({ name }) => name);

  test('looks before the next turn if a flow has given up on what may be outstanding', () => {
    const waiting = after([acquire('a'), LISTED, acquire('b')]);
    const clean = after([request('a', { type: 'release' })], waiting);
    expect(holders(clean)).toEqual(['b']);
    const unsure = after([request('a', { type: 'release', mayBeOutstanding: true })], waiting);
    expect(holders(unsure)).toEqual([]);
    expect(commandNames(unsure)).toContain('list');
    const outstanding = [{ id: 't', state: 'STUCK', flow: 'a' }];
    expect(holders(after([{ type: 'listed', outstanding }], unsure))).toEqual([]);
    expect(holders(after([LISTED], unsure))).toEqual(['b']);
  });

  test('keeps what it knows if the API does not list the transactions', () => {
    const outstanding = [{ id: 'foreign', state: 'STUCK' }];
    const blocked = after([acquire('a'), { type: 'listed', outstanding }, { type: 'refused' }, { type: 'listed' }]);
    expect(blocked.outstanding).toEqual(outstanding);
    expect(holders(blocked)).toEqual([]);
    expect(commandNames(blocked)).toContain('followOutstanding');
  });

  test('tells the last flow to ask again if too many wait, also if an urgent one has come later', () => {
    const ask = (index: number) => acquire(`f${index}`, { sentAt: index });
    const waiter = (index: number) => ({
      flow: `f${index}`,
      firstRunId: `f${index}`,
      hold: 1,
      priority: 3,
      sentAt: index,
    });
    const waiting = Array.from({ length: MAX_WAITING - 1 }, (_, index) => ({
      ...waiter(index + 1),
      state: 'open' as const,
    }));
    const full = after([ask(MAX_WAITING)], { ...after([acquire('holder', { sentAt: 0 }), LISTED]), waiting });
    expect(full.waiting).toHaveLength(MAX_WAITING);
    const told = ({ outbox }: LaneState) =>
      outbox.filter(({ message }) => message.type === 'full').map(({ flow }) => flow);
    expect(told(full)).toEqual([]);
    const later = after([ask(MAX_WAITING + 1)], full);
    expect(told(later)).toEqual([`f${MAX_WAITING + 1}`]);
    const urgent = after([acquire('urgent', { priority: 1, sentAt: MAX_WAITING + 2 })], later);
    expect(told(urgent)).toEqual([`f${MAX_WAITING + 1}`, `f${MAX_WAITING}`]);
    expect(urgent.waiting[0]!.flow).toBe('urgent');
    expect(urgent.waiting).toHaveLength(MAX_WAITING);
  });

  test('says who has sent what blocks it, and that it is only full if its own flows share the places', () => {
    const blocked = (outstanding: LaneState['outstanding'], capacity: number) => {
      const { outbox } = after([
        { type: 'listed', outstanding },
        request('a', { type: 'acquire', priority: 3, capacity, state: 'open' }),
        request('b', { type: 'acquire', priority: 3, capacity, state: 'open' }, 2),
      ]);
      return outbox.flatMap(({ message }) => (message.type === 'blocked' ? [message.by] : []));
    };
    const own = { reason: 'foreign', flow: 'main/transfer/x', transactionId: 't' };
    expect(blocked([{ id: 't', state: 'SENT', flow: 'main/transfer/x' }], 1)).toEqual([own, own]);
    expect(blocked([{ id: 't', state: 'SENT' }], 2)).toEqual([]);
  });

  test('does not begin with the state of another version, so that it can end and its flows ask again', () => {
    const state = after([acquire('a'), LISTED, acquire('b')]);
    expect(carriedState(JSON.parse(JSON.stringify(state)))).toEqual(state);
    expect(carriedState({ ...state, waiting: state.waiting.map(({ priority: _, ...rest }) => rest) })).toBeUndefined();
  });
});
