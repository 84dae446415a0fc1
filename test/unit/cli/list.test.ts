import { optionError, summaryLine } from '../../../src/cli/list';
import { runCli } from '../../../src/cli/program';
import { FlowInputError } from '../../../src/client/errors';
import type { FlowSummary } from '../../../src/client/listFlows';
import { FLOW_NAMES } from '../../../src/domain/flowNames';
import { testTerminal } from './terminal';

const startedAt = new Date('2026-11-27T10:00:00.000Z');
const RUNNING: FlowSummary = {
  workflowId: 'main/transfer/a',
  flow: 'transfer',
  ref: 'a',
  status: 'running',
  startedAt,
};

/** [changed fields, line] */
const LINES: [more: Partial<FlowSummary>, line: string][] = [
  [{}, 'transfer/a  running  started 2026-11-27T10:00:00.000Z'],
  [{ step: 'gate' }, 'transfer/a  running  in gate  started 2026-11-27T10:00:00.000Z'],
  [{ step: 'gate', attention: '155201' }, 'transfer/a  attention 155201  in gate  started 2026-11-27T10:00:00.000Z'],
  [
    { status: 'denied', step: 'follow', endedAt: new Date('2026-11-27T11:00:00.000Z') },
    'transfer/a  denied  at 2026-11-27T11:00:00.000Z',
  ],
];

test.each(LINES)('%j', (more, line) => {
  expect(summaryLine({ ...RUNNING, ...more })).toBe(line);
});

/** [options, error message] */
const INVALID: [options: string[], message: RegExp][] = [
  [['--since', '30'], /^--since: "30" is not a duration; write a number and a unit/],
  [['--status', 'ended'], /--status .*'ended' is invalid\. Allowed choices are running, completed, .*terminated/],
  [
    ['--flow', 'transfers'],
    new RegExp(`^--flow: there is no flow "transfers"; choose one of ${FLOW_NAMES.join(', ')}`),
  ],
];

test.each(INVALID)('%j is rejected before any request', async (options, message) => {
  const terminal = testTerminal();
  expect(await runCli(['list', ...options], terminal)).toBe(2);
  expect(terminal.errLines.join('\n')).toMatch(message);
});

test('problems with fields are problems with options', () => {
  const error = new FlowInputError('list', ['limit: is too high', 'pageToken: does not belong to this list']);
  expect(optionError(error).message).toBe('--limit: is too high\n--page-token: does not belong to this list');
});
