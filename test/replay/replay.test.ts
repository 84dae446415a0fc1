import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { temporal } from '@temporalio/proto';
import { DeterminismViolationError } from '@temporalio/workflow';
import { generateKeyRing, KeyRing } from '../../src/crypto/keyRing';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { createLogger } from '../../src/logger';
import { buildBundle, loadBundle, type LoadedBundle } from '../../src/temporal/bundle';
import { replay, type Replayed } from '../../src/temporal/replay';
import { installRuntime } from '../../src/worker';
import * as workflows from '../../workflows';
import { ENDINGS } from './endings';
import { readRecordings, recordingCodec, type Recording } from './recordings';
import { ONBOARDING_ENDINGS } from './onboardingEndings';
import { SESSION_ENDINGS } from './sessionEndings';
import { TOLD_ENDINGS } from './toldEndings';

const ROOT = path.resolve(__dirname, '../..');
const { EventType } = temporal.api.enums.v1;

let shipped: LoadedBundle;
let codec: EncryptingCodec;
let recordings: Recording[];

beforeAll(async () => {
  installRuntime(createLogger({ level: 'silent' }));
  shipped = await loadBundle(path.join(ROOT, 'dist'));
  codec = await recordingCodec();
  recordings = await readRecordings();
});

/** Names by what replaying them came to: `same`, or the error's class. */
async function replayed(bundle: LoadedBundle, which: Recording[]): Promise<Record<string, string[]>> {
  const results: Replayed[] = [];
  for await (const result of replay(bundle, [codec], which)) results.push(result);
  const names: Record<string, string[]> = {};
  for (const { name, error } of results) (names[error ? error.constructor.name : 'same'] ??= []).push(name);
  return names;
}

/** Entity workflows have no end: their runs do. */
const ENDS = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
]);

function isFinished({ history }: Recording): boolean {
  return ENDS.has(history.events?.at(-1)?.eventType as never);
}

const hasActivity = ({ history }: Recording, name: string) =>
  (history.events ?? []).some((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === name);

const namesOf = (some: Recording[]) => some.map(({ name }) => name);

test('every recorded flow goes on under the bundle that is shipped', async () => {
  expect(await replayed(shipped, recordings)).toEqual({ same: namesOf(recordings) });
});

test('there is a history of each ending, and no other but those of older code', () => {
  const current = namesOf(recordings).filter((name) => !name.includes('-until-'));
  expect(current).toEqual(
    Object.keys({ ...ENDINGS, ...ONBOARDING_ENDINGS, ...SESSION_ENDINGS, ...TOLD_ENDINGS }).sort(),
  );
});

test.each(Object.keys(workflows))('%s is there finished and waiting', (flow) => {
  const own = recordings.filter((recording) => recording.flow === flow);
  expect(namesOf(own.filter(isFinished))).not.toEqual([]);
  expect(namesOf(own.filter((recording) => !isFinished(recording)))).not.toEqual([]);
});

test('a transfer without its fee estimate breaks each flow that made one, running or not, and no other', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'walletflow-twin-'));
  const twin = await buildBundle(folder, { workflowsPath: require.resolve('./brokenTwin') });
  const transfers = recordings.filter(({ flow }) => flow === 'transfer');
  const estimated = transfers.filter((recording) => hasActivity(recording, 'estimateTransferFee'));
  expect(estimated.map(isFinished)).toEqual(expect.arrayContaining([true, false]));
  expect(await replayed(twin, transfers)).toEqual({
    same: namesOf(transfers.filter((recording) => !estimated.includes(recording))),
    [DeterminismViolationError.name]: namesOf(estimated),
  });
  await rm(folder, { recursive: true });
});

test('what can not be read is told from code that has changed', async () => {
  const [{ history } = { history: {} }] = recordings;
  const stranger = new EncryptingCodec(new KeyRing(generateKeyRing(new Date())));
  const errors: (string | undefined)[] = [];
  const flows = [
    { name: 'other key', history },
    ...[{}, null, { events: [{ eventId: '1' }] }].map((given) => ({ name: 'none', history: given })),
  ];
  for await (const { error } of replay(shipped, [stranger], flows)) errors.push(error?.name);
  expect(errors).toEqual(['UnknownKeyError', 'NoHistoryError', 'NoHistoryError', 'NoHistoryError']);
});

test('the bundle holds flows, domain words and the SDK, nothing that they only mention', () => {
  const ours = /^(workflows|src\/domain)\//;
  // The converter stands beside the flows: failures of workflow code are encoded in the bundle too.
  const sdk =
    /^(@temporalio\/(workflow|common|proto|worker)|nexus-rpc|long|protobufjs|@protobufjs|ms)\/|^src\/temporal\/failureConverter\.js$/;
  expect(shipped.stamp.modules.filter((name) => !ours.test(name) && !sdk.test(name))).toEqual([]);
  expect(shipped.stamp.modules).toEqual(expect.arrayContaining(['workflows/transfer.js', 'src/domain/money.js']));
});
