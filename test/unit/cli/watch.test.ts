import { Screen } from '../../../src/cli/screen';
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
  name: 'InsufficientFunds',
  code: 155201,
  reason: 'InsufficientFunds',
  remedy: 'add some',
  options: [
    { choice: 'retry', effect: 'estimates again' },
    { choice: 'giveUp', effect: 'ends it' },
  ],
};

/** A flow from its start to its end, as it is asked one time after another, and what is told each time. */
const TOLD: [progress: Progress, lines: string[]][] = [
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
    [`${AT}  ✔ gate`, `${AT}  … follow`, `${NOW.toISOString()}  running  waits for the block since ${AT}`],
  ],
  [
    progress(
      { validate: 'done', gate: 'done', follow: 'done' },
      { outcome: { status: 'completed', result: { transactionId: 't-1', evaluation: { outcome: 'passed' } } } },
    ),
    [`${AT}  ✔ follow`, `${NOW.toISOString()}  completed`, '  transactionId t-1', '  evaluation {"outcome":"passed"}'],
  ],
];

test('each change is told once', () => {
  let before: Progress | undefined;
  for (const [now, lines] of TOLD) {
    expect(changeLines(before, now, NOW)).toEqual(lines);
    before = now;
  }
});

test('each challenge is told, and who called the flow back', () => {
  const waiting = { waitingFor: 'the user to approve', since: AT };
  const approval = { challengeId: 'ch-1', type: 'CREATE_TRANSACTION', session: 'main/userSession/s' };
  const calledBack = { by: { subject: 'ada', issuer: 'https://issuer' }, at: AT };
  const asked = progress({ approve: 'active' }, { ...waiting, approval });
  const again = { ...asked, approval: { ...approval, challengeId: 'ch-2' } };
  const line = `${NOW.toISOString()}  running  waits for the user to approve since ${AT}  to approve: CREATE_TRANSACTION`;
  expect(changeLines(progress({ approve: 'active' }, waiting), asked, NOW)).toEqual([`${line}, challenge ch-1`]);
  expect(changeLines(asked, again, NOW)).toEqual([`${line}, challenge ch-2`]);
  expect(changeLines(again, { ...again, calledBack }, NOW)).toEqual([
    `${line}, challenge ch-2  called back by ada; ends when nobody can approve any more`,
  ]);
});

test('a flow that has ended before is told as a whole', () => {
  const ended = progress({ validate: 'failed' }, { outcome: { status: 'failed', code: 155219, reason: 'no address' } });
  expect(changeLines(undefined, ended, NOW)).toEqual([
    `${AT}  ✖ validate`,
    `${NOW.toISOString()}  failed  155219 no address`,
  ]);
});

test('the end is told with its own time', () => {
  const endedAt = '2026-11-27T10:00:05.000Z';
  const ended = progress({ validate: 'done' }, { outcome: { status: 'completed' }, endedAt });
  expect(changeLines(undefined, ended, NOW)).toEqual([`${AT}  ✔ validate`, `${endedAt}  completed`]);
});

test('a screen is drawn over itself, lines that the terminal breaks included', () => {
  const written: string[] = [];
  const screen = new Screen(
    (text) => void written.push(text),
    () => 10,
  );
  screen.draw(['one', 'x'.repeat(21)]);
  screen.draw(['two']);
  screen.draw(['']);
  expect(written).toEqual([`one\n${'x'.repeat(21)}`, '\x1b[4A\r\x1b[Jtwo', '\x1b[1A\r\x1b[J']);
});
