import { randomUUID } from 'node:crypto';
import { boxId, type BoxEntry } from '../../src/domain/eventBox';
import { listBox, putInBox, takeFromBox } from '../../src/temporal/eventBox';
import { startStack, type Stack } from '../support/stack';

const entry = (id: string, payload: unknown = {}): BoxEntry => ({
  id,
  at: '2026-11-28T00:00:00.000Z',
  kind: 'contracts.eventLog',
  about: 'no flow takes it',
  payload,
});

describe('event box', () => {
  let stack: Stack;
  let box: { client: Stack['flows']['client']; entity: string };

  beforeAll(async () => {
    stack = await startStack();
    box = { client: stack.flows.client, entity: stack.entity.name };
  });
  afterAll(() => stack.close());
  afterEach(async () => {
    for (const name of ['parked', 'dead'] as const) {
      await box.client.workflow
        .getHandle(boxId(box.entity, name))
        .terminate()
        .catch(() => {});
    }
  });

  test('is empty before it is needed, keeps an event once, and gives it out once', async () => {
    expect(await listBox(box, 'parked')).toEqual({ entries: [], dropped: 0 });
    expect(await takeFromBox(box, 'parked', ['a'])).toEqual([]);
    await Promise.all([1, 2, 3].map(() => putInBox(box, 'parked', entry('a', { hello: 'world' }))));
    await putInBox(box, 'parked', entry('b'));
    const { entries } = await listBox(box, 'parked');
    expect(entries).toEqual([entry('a', { hello: 'world' }), entry('b')]);
    const taken = await Promise.all([1, 2].map(() => takeFromBox(box, 'parked', ['a', 'nobody'])));
    expect(taken.flat()).toEqual([entry('a', { hello: 'world' })]);
    expect((await listBox(box, 'parked')).entries).toEqual([entry('b')]);
    expect(await listBox(box, 'dead')).toEqual({ entries: [], dropped: 0 });
  });

  test('WF-03: loses nothing and doubles nothing while it goes on as new', async () => {
    const ids = Array.from({ length: 300 }, () => randomUUID());
    for (let sent = 0; sent < ids.length; sent += 30) {
      await Promise.all(ids.slice(sent, sent + 30).map((id) => putInBox(box, 'parked', entry(id))));
    }
    const { entries, dropped } = await listBox(box, 'parked');
    expect(dropped).toBe(0);
    expect(entries.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const { historyLength } = await box.client.workflow.getHandle(boxId(box.entity, 'parked')).describe();
    expect(historyLength).toBeLessThan(300);
  });

  test.each(['x', '漢'])('is bounded in bytes: the oldest make room, and are counted (%s)', async (letter) => {
    const large = letter.repeat(200_000 / Buffer.byteLength(letter));
    for (let n = 1; n <= 6; n++) await putInBox(box, 'parked', entry(`n${n}`, large));
    const { entries, dropped } = await listBox(box, 'parked');
    expect(entries.map(({ id }) => id)).toEqual(['n3', 'n4', 'n5', 'n6']);
    expect(dropped).toBe(2);
  });
});
