import { temporal } from '@temporalio/proto';
import { DeterminismViolationError } from '@temporalio/workflow';
import path from 'node:path';
import { generateKeyRing, KeyRing } from '../../src/crypto/keyRing';
import { EncryptingCodec } from '../../src/crypto/payloadCodec';
import { createLogger } from '../../src/logger';
import { loadBundle, type LoadedBundle } from '../../src/temporal/bundle';
import { replay } from '../../src/temporal/replay';
import { installRuntime } from '../../src/worker';
import * as workflows from '../../workflows';
import { SCENARIOS } from './allScenarios';
import { EVENT_SCENARIOS } from './eventScenarios';
import { readRun } from './events';
import { readRecordings, type Recording, recordingCodec, ROOT } from './recordings';
import { incompatibleBundle, namesOf, replayResults } from './replayed';
import { SITUATIONS } from './situations';

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

/** Entity workflows never complete, but their runs end by continue-as-new. */
const ENDS = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
]);

function isFinished({ history }: Recording): boolean {
  return ENDS.has(history.events?.at(-1)?.eventType as never);
}

const ofType = (type: string) => recordings.filter(({ flow }) => flow === type);

const hasActivity = ({ history }: Recording, name: string) =>
  (history.events ?? []).some((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === name);

test('every recorded flow can continue with the shipped bundle', async () => {
  expect(await replayResults(shipped, codec, recordings)).toEqual({ same: namesOf(recordings) });
});

test('every scenario has a history, and any other history is of older code', () => {
  const current = namesOf(recordings).filter((name) => !name.includes('-until-'));
  expect(current).toEqual(Object.keys({ ...SCENARIOS, ...EVENT_SCENARIOS }).sort());
});

const expected = Object.entries(SITUATIONS).flatMap(([situation, { of }]) => of.map((flow) => [flow, situation]));

test.each(expected)('%s has a recording in which %s', async (flow, situation) => {
  const runs = await Promise.all(ofType(flow!).map((recording) => readRun(recording, codec)));
  expect(runs.filter((run) => SITUATIONS[situation!]!.matches(run))).not.toEqual([]);
});

test('the situations name every workflow type', () => {
  for (const situation of ['it ends', 'it waits']) {
    expect([...SITUATIONS[situation]!.of].sort()).toEqual(Object.keys(workflows).sort());
  }
});

test('a transfer without its fee estimate breaks exactly the flows that made one, running or not', async () => {
  const incompatible = await incompatibleBundle();
  const transfers = ofType('transfer');
  const estimated = transfers.filter((recording) => hasActivity(recording, 'estimateTransferFee'));
  expect(estimated.map(isFinished)).toEqual(expect.arrayContaining([true, false]));
  expect(await replayResults(incompatible, codec, transfers)).toEqual({
    same: namesOf(transfers.filter((recording) => !estimated.includes(recording))),
    [DeterminismViolationError.name]: namesOf(estimated),
  });
  await incompatible.remove();
});

test('a flow of which no worker has run a task yet is the same', async () => {
  const begun = recordings.filter(({ name }) => name === 'transfer.completed');
  expect(begun).toHaveLength(1);
  const cut = [1, 2, 3].flatMap((length) =>
    begun.map((recording) => ({
      ...recording,
      name: `${length}`,
      history: { ...recording.history, events: recording.history.events!.slice(0, length) },
    })),
  );
  expect(await replayResults(shipped, codec, cut)).toEqual({ same: ['1', '2', '3'] });
});

test('an unreadable history is distinguished from changed code', async () => {
  const [{ history } = { history: {} }] = recordings;
  const foreignCodec = new EncryptingCodec(new KeyRing(generateKeyRing(new Date())));
  const errors: (string | undefined)[] = [];
  const flows = [
    { name: 'other key', history },
    ...[{}, null, { events: [{ eventId: '1' }] }].map((invalid) => ({ name: 'none', history: invalid })),
  ];
  for await (const { error } of replay(shipped, [foreignCodec], flows)) errors.push(error?.name);
  expect(errors).toEqual([
    'UnreadableHistoryError',
    'InvalidHistoryError',
    'InvalidHistoryError',
    'InvalidHistoryError',
  ]);
});

test('the bundle holds only flows, domain modules and the SDK', () => {
  const ours = /^(workflows|src\/domain)\//;
  // The failure converter is part of the bundle: it encodes failures of workflow code.
  const sdk =
    /^(@temporalio\/(workflow|common|proto|worker)|nexus-rpc|long|protobufjs|@protobufjs|ms)\/|^src\/temporal\/failureConverter\.js$/;
  expect(shipped.stamp.modules.filter((name) => !ours.test(name) && !sdk.test(name))).toEqual([]);
  expect(shipped.stamp.modules).toEqual(expect.arrayContaining(['workflows/transfer.js', 'src/domain/money.js']));
});
