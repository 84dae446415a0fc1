import { runCli } from '../../../src/cli/program';
import { progressLines, statusOf } from '../../../src/cli/status';
import type { CallMovement } from '../../../src/domain/callMovements';
import type { InputRequestName, PendingInputRequest } from '../../../src/domain/inputRequests';
import type { Progress } from '../../../src/domain/progress';
import { testTerminal } from './terminal';

const AT = '2026-11-27T10:00:00.000Z';

const PROGRESS: Progress = {
  flow: 'transfer',
  ref: 'inv-42',
  entity: 'main',
  policy: 'default@1',
  step: 'gate',
  steps: [
    { name: 'validate', state: 'done', at: AT },
    { name: 'gate', state: 'active', at: AT },
  ],
  pastPointOfNoReturn: false,
  resources: { walletId: 'w-1' },
};

/** [changed fields, first line] */
const HEADLINES: [progress: Partial<Progress>, line: string][] = [
  [{}, 'transfer/inv-42  running  gate  policy default@1'],
  [
    { startedBy: { subject: 'ada', issuer: 'https://login.example' } },
    'transfer/inv-42  running  gate  policy default@1  started by ada',
  ],
  [
    { waitingFor: 'the rain', since: AT },
    `transfer/inv-42  running  waits for the rain (since ${AT})  policy default@1`,
  ],
  [{ waitingFor: 'the rain', unresolved: true }, 'transfer/inv-42  unresolved  waits for the rain  policy default@1'],
  [{ outcome: { status: 'completed', result: {} } }, 'transfer/inv-42  completed  policy default@1'],
  [
    { outcome: { status: 'completed', result: {} }, endedAt: AT },
    `transfer/inv-42  completed  policy default@1  ended ${AT}`,
  ],
  [
    { outcome: { status: 'failed', code: 155219, reason: 'to: is not an address', remedy: 'correct it' } },
    'transfer/inv-42  failed  155219 to: is not an address → correct it  policy default@1',
  ],
  [
    { attention: { id: '3f2a91c0', name: 'X', reason: 'the fee is high', remedy: 'wait, or accept it', options: [] } },
    'transfer/inv-42  attention  the fee is high → wait, or accept it  policy default@1',
  ],
];

test.each(HEADLINES)('%j', (more, line) => {
  expect(progressLines({ ...PROGRESS, ...more })[0]).toBe(line);
  expect(line.split('  ')[1]).toBe(statusOf({ ...PROGRESS, ...more }));
});

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TOKEN = '0xd9145CCE52D386f254917e481eB44e9943F39138';

test.each<[movement: CallMovement, line: string]>([
  [{ kind: 'transfer', recipient: TO, amount: '0.5' }, `${TO} receives 0.5 of native tokens`],
  [{ kind: 'transfer', recipient: TO, amount: '1.25', contract: TOKEN }, `${TO} receives 1.25 of token ${TOKEN}`],
  [{ kind: 'transfer', recipient: TO, units: '250', contract: TOKEN }, `${TO} receives 250 units of token ${TOKEN}`],
  [
    { kind: 'transfer', recipient: TO, owner: TOKEN, tokenId: '7', units: '3', contract: TOKEN },
    `${TO} receives NFT 7 of ${TOKEN} (3 of them) from ${TOKEN}`,
  ],
  [
    { kind: 'approval', recipient: TO, unitsOrTokenId: '7', contract: TOKEN },
    `${TO} may take 7 units or NFT 7 of token ${TOKEN}`,
  ],
  [{ kind: 'approval', recipient: TO, contract: TOKEN }, `${TO} may take every NFT of ${TOKEN}`],
  [{ kind: 'revocation', recipient: TO, contract: TOKEN }, `${TO} may no longer take every NFT of ${TOKEN}`],
  [
    { kind: 'burn', recipient: TO, destinationDomain: 6, amount: '2.5', contract: TOKEN },
    `${TO} on Base receives 2.5 of token ${TOKEN}, which is burned`,
  ],
  [
    { kind: 'burn', recipient: TO, destinationDomain: 99, units: '2', contract: TOKEN },
    `${TO} on domain 99 receives 2 units of token ${TOKEN}, which is burned`,
  ],
])('a contract call shows %j', (movement, line) => {
  expect(progressLines({ ...PROGRESS, call: { movements: [movement] } })).toContain(`  ${line}`);
});

test('a contract call that is not decoded says so', () => {
  expect(progressLines({ ...PROGRESS, call: { movements: [], undecoded: true } })).toContain(
    '  the call may do more: it has a function that is not known',
  );
});

test('steps, options with their commands, and ids follow the first line', () => {
  const attention = {
    id: '3f2a91c0',
    name: 'InsufficientFunds',
    code: 155201,
    reason: 'InsufficientFunds',
    remedy: 'add some',
    options: [{ choice: 'retry', effect: 'estimates again' }],
  };
  expect(progressLines({ ...PROGRESS, attention })).toEqual([
    'transfer/inv-42  attention  155201 The wallet holds too little for this transfer → add some  policy default@1',
    `  ✔ validate  ${AT}`,
    `  … gate      ${AT}`,
    '  retry: estimates again → npx walletflow decide transfer/inv-42 retry --attention 3f2a91c0',
    '  walletId w-1',
  ]);
});

const approval = { challengeId: 'ch-1', type: 'CREATE_TRANSACTION', session: 'main/userSession/s' };
const cancelRequested = { by: { subject: 'ada', issuer: 'https://issuer' }, at: AT };

/** Lines between the steps and the ids. */
function between(more: Partial<Progress>): string[] {
  return progressLines({ ...PROGRESS, ...more }).slice(3, -1);
}

test('notes show what the user has to approve, and who requested cancellation', () => {
  const approve = '  to approve: CREATE_TRANSACTION, challenge ch-1';
  expect(between({ approval })).toEqual([approve]);
  expect(between({ approval, cancelRequested })).toEqual([
    approve,
    '  cancellation requested by ada; ends once the user can no longer approve',
  ]);
  expect(between({ cancelRequested })).toEqual([
    '  cancellation requested by ada; the outcome depends on work in progress',
  ]);
  expect(between({ cancelRequested: { ...cancelRequested, tooLate: true } })).toEqual([
    '  cancellation requested by ada; it came too late',
  ]);
  expect(between({ approval, cancelRequested, pastPointOfNoReturn: true }).at(-1)).toBe(
    '  cancellation requested by ada; the outcome depends on work in progress',
  );
  expect(between({ approval, cancelRequested, outcome: { status: 'completed', result: {} } })).toEqual([]);
});

test('notes show what restricts the user, and what the app reported', () => {
  expect(between({ approval, restriction: { reason: 'pinLocked', until: Date.parse(AT) } })).toEqual([
    '  to approve: CREATE_TRANSACTION, challenge ch-1',
    `  not possible now: the PIN is locked until ${AT}`,
  ]);
  expect(between({ restriction: { reason: 'otherChallenge' } })).toEqual([
    '  not possible now: the user has another challenge to approve first',
  ]);
  expect(between({ restriction: { reason: 'novelty' as never } })).toEqual(['  not possible now: novelty']);
  expect(between({ userProblem: { code: 155112, name: 'IncorrectPin', remedy: 'enter it again' } })).toEqual([
    '  the app reported: 155112 IncorrectPin → enter it again',
  ]);
});

test('the command that provides an input has its required fields', () => {
  const inputRequests: PendingInputRequest[] = [
    { name: 'clientError', effect: 'helps', fields: ['code'] },
    { name: 'tokens', effect: 'goes on', fields: ['userToken', 'encryptionKey', 'refreshToken'] },
    { name: 'resendOtp', effect: 'sends a mail', fields: [] },
    { name: 'novelty' as InputRequestName, effect: 'is of newer workers', fields: ['a'] },
  ];
  const command = 'npx walletflow provide transfer/inv-42';
  expect(between({ inputRequests })).toEqual([
    `  asks for clientError: helps → ${command} clientError --field code=…`,
    `  asks for tokens: goes on → ${command} tokens --input FILE (JSON: userToken, encryptionKey)`,
    `  asks for resendOtp: sends a mail → ${command} resendOtp`,
    `  asks for novelty: is of newer workers → ${command} novelty`,
  ]);
});

test('the result of an ended flow is shown, one field per line, and no id twice', () => {
  const result = {
    transactionId: 't-1',
    walletId: 'w-1',
    adopted: { user: true, walletIds: ['w-0'] },
    approvedLate: true,
    txHash: undefined,
    note: 'two\nlines',
  };
  expect(progressLines({ ...PROGRESS, outcome: { status: 'completed', result } }).slice(3)).toEqual([
    '  walletId w-1',
    '  transactionId t-1',
    '  adopted {"user":true,"walletIds":["w-0"]}',
    '  approvedLate true',
    '  note "two\\nlines"',
  ]);
});

test('the input is shown, one field per line, with sealed values as sealed and long ones cut', () => {
  const input = {
    amount: '1.50',
    from: { walletId: 'w-1' },
    email: { sealed: true },
    deadline: undefined,
    data: 'x'.repeat(201),
  };
  expect(progressLines({ ...PROGRESS, input }).slice(3)).toEqual([
    '  input.amount 1.50',
    '  input.from {"walletId":"w-1"}',
    '  input.email sealed',
    `  input.data ${'x'.repeat(200)}…`,
    '  walletId w-1',
  ]);
});

test('with --json, an error is JSON on standard error', async () => {
  const terminal = testTerminal();

  expect(await runCli(['status', 'nothing', '--json'], terminal)).toBe(2);

  expect(terminal.outLines).toEqual([]);
  expect(JSON.parse(terminal.errLines.join('\n'))).toEqual({ error: expect.stringContaining('nothing'), exitCode: 2 });
});
