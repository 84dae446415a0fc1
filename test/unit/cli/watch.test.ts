import { LiveOutput } from '../../../src/cli/liveOutput';
import { changeLines } from '../../../src/cli/watch';
import type { Progress, StepState } from '../../../src/domain/progress';

const AT = '2026-11-27T10:00:00.000Z';
const NOW = new Date('2026-11-27T10:00:09.000Z');

function progress(steps: Record<string, StepState>, more: Partial<Progress> = {}): Progress {
  return {
    flow: 'transfer',
    ref: 'a',
    entity: 'main',
    step: Object.keys(steps).at(-1),
    steps: Object.entries(steps).map(([name, state]) => ({ name, state, at: AT })),
    pastPointOfNoReturn: false,
    resources: {},
    ...more,
  };
}

const attention = {
  id: '3f2a91c0',
  name: 'InsufficientFunds',
  code: 155201,
  reason: 'InsufficientFunds',
  remedy: 'add some',
  options: [
    { choice: 'retry', effect: 'estimates again' },
    { choice: 'giveUp', effect: 'ends it' },
  ],
};

/** Successive states of a flow from start to end, and the lines that each one prints. */
const POLLS: [progress: Progress, lines: string[]][] = [
  [progress({}), [`${NOW.toISOString()}  running`]],
  [progress({ validate: 'active' }), [`${AT}  … validate`]],
  [progress({ validate: 'active' }), []],
  [progress({ validate: 'done', gate: 'active' }), [`${AT}  ✔ validate`, `${AT}  … gate`]],
  [
    progress({ validate: 'done', gate: 'active' }, { attention }),
    [
      `${NOW.toISOString()}  attention  155201 The wallet holds too little for this transfer → add some (retry, giveUp)`,
    ],
  ],
  [progress({ validate: 'done', gate: 'active' }, { attention }), []],
  [progress({ validate: 'done', gate: 'active' }), [`${NOW.toISOString()}  running  gate`]],
  [
    progress({ validate: 'done', gate: 'done', follow: 'active' }, { waitingFor: 'the block', since: AT }),
    [`${AT}  ✔ gate`, `${AT}  … follow`, `${NOW.toISOString()}  running  waits for the block (since ${AT})`],
  ],
  [
    progress(
      { validate: 'done', gate: 'done', follow: 'done' },
      { outcome: { status: 'completed', result: { transactionId: 't-1', evaluation: { outcome: 'passed' } } } },
    ),
    [`${AT}  ✔ follow`, `${NOW.toISOString()}  completed`, '  transactionId t-1', '  evaluation {"outcome":"passed"}'],
  ],
];

test('each change is printed once', () => {
  let previous: Progress | undefined;
  for (const [current, lines] of POLLS) {
    expect(changeLines(previous, current, NOW)).toEqual(lines);
    previous = current;
  }
});

test('each new challenge is printed, and who requested cancellation', () => {
  const waiting = { waitingFor: 'the user to approve', since: AT };
  const approval = { challengeId: 'ch-1', type: 'CREATE_TRANSACTION', session: 'main/userSession/s' };
  const cancelRequested = { by: { subject: 'ada', issuer: 'https://issuer' }, at: AT };
  const first = progress({ approve: 'active' }, { ...waiting, approval });
  const second = { ...first, approval: { ...approval, challengeId: 'ch-2' } };
  const line = `${NOW.toISOString()}  running  waits for the user to approve (since ${AT})  to approve: CREATE_TRANSACTION`;
  expect(changeLines(progress({ approve: 'active' }, waiting), first, NOW)).toEqual([`${line}, challenge ch-1`]);
  expect(changeLines(first, second, NOW)).toEqual([`${line}, challenge ch-2`]);
  expect(changeLines(second, { ...second, cancelRequested }, NOW)).toEqual([
    `${line}, challenge ch-2  cancellation requested by ada; ends once the user can no longer approve`,
  ]);
});

test('a flow that has already ended is printed completely', () => {
  const ended = progress(
    { validate: 'failed' },
    { outcome: { status: 'failed', code: 155219, reason: 'no address', remedy: 'correct it' } },
  );
  expect(changeLines(undefined, ended, NOW)).toEqual([
    `${AT}  ✖ validate`,
    `${NOW.toISOString()}  failed  155219 no address → correct it`,
  ]);
});

test('the end is printed with its own time', () => {
  const endedAt = '2026-11-27T10:00:05.000Z';
  const ended = progress({ validate: 'done' }, { outcome: { status: 'completed', result: {} }, endedAt });
  expect(changeLines(undefined, ended, NOW)).toEqual([`${AT}  ✔ validate`, `${endedAt}  completed`]);
});

test('each render replaces the previous one, including lines that the terminal wraps', () => {
  const written: string[] = [];
  const output = new LiveOutput(
    (text) => void written.push(text),
    () => 10,
  );
  output.render(['one', 'x'.repeat(21)]);
  output.render(['two']);
  output.render(['']);
  expect(written).toEqual([`one\n${'x'.repeat(21)}`, '\x1b[4A\r\x1b[Jtwo', '\x1b[1A\r\x1b[J']);
});
