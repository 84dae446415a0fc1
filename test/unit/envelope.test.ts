import { envelope, openEnvelope, openStart, scheduledAs } from '../../src/domain/envelope';
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

test('a start is for one workflow id; that of a schedule for the ids that the server makes of it', () => {
  const scheduledId = 'e/sweep/all-2026-11-29T06:00:00Z';
  expect(openStart([envelope('start', 'sweep', [1], scheduledId)], 'sweep', scheduledId)).toEqual({ args: [1] });
  expect(openStart([envelope('schedule', 'sweep', [1], 'e/sweep/all')], 'sweep', scheduledId)).toEqual({ args: [1] });
  // The start of `all` is not a start of a flow whose ref looks like a time.
  expect(openStart([envelope('start', 'sweep', [1], 'e/sweep/all')], 'sweep', scheduledId)).toEqual({
    distrust: 'misplaced',
  });
  expect(openStart([envelope('schedule', 'sweep', [1], 'e/sweep/all')], 'sweep', 'e/sweep/all')).toEqual({
    distrust: 'misplaced',
  });
  expect(openStart([untrusted('copied')], 'sweep', scheduledId)).toEqual({ distrust: 'copied' });
  expect(scheduledAs('e/transfer/inv-42')).toBeUndefined();
});
