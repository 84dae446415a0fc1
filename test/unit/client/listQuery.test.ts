import { filterProblems, type ListFilter, listQuery } from '../../../src/client/listQuery';

const SINCE = new Date('2026-11-27T10:00:00.000Z');

/** [filter, query] */
const QUERIES: [filter: ListFilter, query: string][] = [
  [{}, `Entity = 'main'`],
  [{ flow: 'transfer' }, `Entity = 'main' AND FlowKind = 'transfer'`],
  [{ status: 'running' }, `Entity = 'main' AND ExecutionStatus = 'Running'`],
  [{ status: 'denied' }, `Entity = 'main' AND ExecutionStatus = 'Completed' AND FlowOutcome = 'denied'`],
  [{ status: 'timedOut' }, `Entity = 'main' AND ExecutionStatus = 'TimedOut'`],
  [{ attention: true }, `Entity = 'main' AND ExecutionStatus = 'Running' AND FlowAttention IS NOT NULL`],
  [{ attention: false }, `Entity = 'main'`],
  [{ since: SINCE }, `Entity = 'main' AND StartTime >= '2026-11-27T10:00:00.000Z'`],
];

test.each(QUERIES)('filter %j leads to the right query', (filter, query) => {
  expect(filterProblems(filter)).toEqual([]);
  expect(listQuery('main', filter)).toBe(query);
});

test('quotes and backslashes of an entity name stay inside the string', () => {
  expect(listQuery(`a' OR Entity != '`, {})).toBe(`Entity = 'a'' OR Entity != '''`);
  expect(listQuery(`\\' OR Entity != '`, {})).toBe(`Entity = '\\\\'' OR Entity != '''`);
});

/** [filter, field, remedy] */
const INVALID: [filter: object, problem: RegExp][] = [
  [{ flow: `transfer' OR Entity = 'other` }, /^flow: does not exist; use one of transfer, /],
  [{ flow: 7 }, /^flow: does not exist/],
  [{ status: 'ended' }, /^status: does not exist; use one of running, completed, .*, terminated, timedOut, crashed$/],
  [{ attention: 'yes' }, /^attention: must be true or false$/],
  [{ attention: true, status: 'failed' }, /^attention: only running flows need a decision; remove it or the status$/],
  [{ since: new Date('never') }, /^since: is not a valid date; use one such as new Date\(\)$/],
  [{ stauts: 'failed' }, /^stauts: is not a field of this filter; remove it$/],
  [{ since: '2026-11-27' }, /^since: is not a valid date/],
];

test.each(INVALID)('filter %j is rejected with the field and the remedy', (filter, problem) => {
  expect(filterProblems(filter as ListFilter)).toEqual([expect.stringMatching(problem)]);
});
