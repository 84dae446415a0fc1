import {
  activityEnvelope,
  envelope,
  openActivity,
  openEnvelope,
  openStart,
  type RunningActivity,
  scheduledAs,
} from '../../src/domain/envelope';
import { untrusted } from '../../src/domain/untrusted';

const decide = envelope('update', 'decide', [{ choice: 'retry' }], 'id-1');

test('an envelope opens for its own message only', () => {
  expect(openEnvelope([decide], 'update', 'decide', 'id-1')).toEqual({ args: [{ choice: 'retry' }] });
  expect(openEnvelope([decide], 'update', 'decide', 'id-2')).toEqual({ distrust: 'misplaced' });
  expect(openEnvelope([decide], 'update', 'decide')).toEqual({ distrust: 'misplaced' });
  expect(openEnvelope([decide], 'update', 'cancel', 'id-1')).toEqual({ distrust: 'misplaced' });
  expect(openEnvelope([decide], 'signal', 'decide', 'id-1')).toEqual({ distrust: 'misplaced' });
});

test('arguments arrive as they were, also when JSON has no value for them', () => {
  const args = [undefined, null, 0, { a: 1 }, undefined];
  const sent = JSON.parse(JSON.stringify(envelope('activity', 'x', args))) as unknown;
  expect(openEnvelope([sent], 'activity', 'x')).toEqual({ args });
});

test('a message without arguments has an envelope too', () => {
  expect(openEnvelope([envelope('query', 'progress', [])], 'query', 'progress')).toEqual({ args: [] });
});

test.each([
  [[], 'missing'],
  [[undefined], 'missing'],
  [[decide, decide], 'missing'],
  [[untrusted('plain')], 'plain'],
  [[null], 'misplaced'],
  [['text'], 'misplaced'],
  [[{ for: 'update decide', id: 'id-1' }], 'misplaced'],
  [[{ for: 'update decide', id: 'id-1', args: 'x' }], 'misplaced'],
  [[{ for: 'update decide', id: 'id-1', args: ['x'] }], 'misplaced'],
] as const)('%j is refused', (received, distrust) => {
  expect(openEnvelope(received, 'update', 'decide', 'id-1')).toEqual({ distrust });
});

test('the input of an activity belongs to the run that scheduled it; an effect names the run that may send it', () => {
  const read = activityEnvelope('readWallet', ['wallet'], 'run-1');
  const running = (activityType: string, runId?: string): RunningActivity => ({
    activityType,
    workflowExecution: runId === undefined ? undefined : { workflowId: 'e/transfer/r', runId },
  });
  expect(openActivity([read], running('readWallet', 'run-1'), 'e')).toEqual({ args: ['wallet'] });
  for (const runId of ['run-2', undefined])
    expect(openActivity([read], running('readWallet', runId), 'e')).toEqual({ distrust: 'misplaced' });
  const effect = { step: 'submit', ordinal: 1, flow: 'transfer', ref: 'r', senderRunId: 'run-1' };
  const send = activityEnvelope('createTransfer', [effect], 'run-1');
  // `startAttempt` sends nothing in another run before the flow has looked.
  expect(openActivity([send], running('createTransfer', 'run-2'), 'e')).toEqual({ args: [effect] });
  // The workers of another entity can decrypt both, if it has the same key ring.
  expect(openActivity([read], running('readWallet', 'run-1'), 'f')).toEqual({ distrust: 'misrouted' });
  expect(openActivity([send], running('createTransfer', 'run-1'), 'f')).toEqual({ distrust: 'misrouted' });
});

test('a start is for one workflow id; that of a schedule for the ids that the server makes of it', () => {
  const scheduledId = 'e/sweep/all-2026-11-29T06:00:00Z';
  const open = (received: unknown, workflowId: string, taskQueue = 'flows/e') =>
    openStart([received], { workflowType: 'sweep', workflowId, taskQueue });
  expect(open(envelope('start', 'sweep', [1], scheduledId), scheduledId)).toEqual({ args: [1] });
  expect(open(envelope('schedule', 'sweep', [1], 'e/sweep/all'), scheduledId)).toEqual({ args: [1] });
  // The start of `all` is not a start of a flow whose ref looks like a time.
  expect(open(envelope('start', 'sweep', [1], 'e/sweep/all'), scheduledId)).toEqual({
    distrust: 'misplaced',
  });
  expect(open(envelope('schedule', 'sweep', [1], 'e/sweep/all'), 'e/sweep/all')).toEqual({
    distrust: 'misplaced',
  });
  expect(open(untrusted('copied'), scheduledId)).toEqual({ distrust: 'copied' });
  for (const queue of ['flows/f', 'flows/e/x', 'e'])
    expect(open(envelope('start', 'sweep', [1], 'e/sweep/all'), 'e/sweep/all', queue)).toEqual({
      distrust: 'misrouted',
    });
  expect(open(untrusted('plain'), 'e/sweep/all', 'flows/f')).toEqual({ distrust: 'plain' });
  expect(scheduledAs('e/transfer/inv-42')).toBeUndefined();
});
