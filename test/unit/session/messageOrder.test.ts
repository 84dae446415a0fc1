import { MessageOrder } from '../../../workflows/kit/messageOrder';

/** @returns which of the messages are new */
function taken(messages: [runId: string, number: number][], runs: string[] = []): boolean[] {
  const order = new MessageOrder();
  for (const runId of runs) order.addRun(runId);
  return messages.map(([runId, number]) => order.take({ runId, number }));
}

test('a message of a run is new once, and only if its number is above the last one', () => {
  const messages: [string, number][] = [
    ['one', 1],
    ['one', 3],
    ['one', 3],
    ['one', 2],
    ['one', 4],
  ];
  expect(taken(messages, ['one'])).toEqual([true, true, false, false, true]);
  expect(taken(messages)).toEqual([true, true, false, false, true]);
});

test('a run is over when a later one has sent a message, and not before', () => {
  const messages: [string, number][] = [
    ['one', 1],
    ['one', 2],
    ['two', 1],
    ['one', 3],
    ['two', 2],
  ];
  expect(taken(messages, ['one', 'two'])).toEqual([true, true, true, false, true]);
});

test('a run that the flow does not know yet may be the next one, and ends none', () => {
  const messages: [string, number][] = [
    ['one', 1],
    ['unknown', 7],
    ['unknown', 7],
    ['one', 2],
  ];
  expect(taken(messages, ['one'])).toEqual([true, true, false, true]);
});
