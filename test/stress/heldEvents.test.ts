import { randomUUID } from 'node:crypto';
import { type HeldEvent, heldEventsId } from '../../src/domain/heldEvents';
import { holdEvent, listHeldEvents, takeHeldEvents } from '../../src/temporal/heldEvents';
import { type Stack, startStack } from '../support/stack';

const DAY = 24 * 60 * 60_000;

const entry = (id: string, payload: unknown = {}): HeldEvent => ({
  id,
  at: '2026-11-28T00:00:00.000Z',
  type: 'contracts.eventLog',
  reason: 'no flow takes it',
  payload,
});

describe('held events', () => {
  let stack: Stack;
  let deps: { client: Stack['flows']['client']; entity: string };

  beforeAll(async () => {
    stack = await startStack();
    deps = { client: stack.flows.client, entity: stack.entity.name };
  });
  afterAll(() => stack.close());
  afterEach(async () => {
    for (const name of ['parked', 'dead'] as const) {
      await deps.client.workflow
        .getHandle(heldEventsId(deps.entity, name))
        .terminate()
        .catch(() => {});
    }
  });

  test('the list starts empty, holds an event once and returns it once', async () => {
    expect(await listHeldEvents(deps, 'parked')).toEqual({ entries: [], dropped: 0 });
    expect(await takeHeldEvents(deps, 'parked', ['a'])).toEqual([]);
    await Promise.all([1, 2, 3].map(() => holdEvent(deps, 'parked', entry('a', { hello: 'world' }))));
    await holdEvent(deps, 'parked', entry('b'));
    const { entries } = await listHeldEvents(deps, 'parked');
    expect(entries).toEqual([entry('a', { hello: 'world' }), entry('b')]);
    const taken = await Promise.all([1, 2].map(() => takeHeldEvents(deps, 'parked', ['a', 'unknown'])));
    expect(taken.flat()).toEqual([entry('a', { hello: 'world' })]);
    expect((await listHeldEvents(deps, 'parked')).entries).toEqual([entry('b')]);
    expect(await listHeldEvents(deps, 'dead')).toEqual({ entries: [], dropped: 0 });
  });

  test('a list that an operator terminated before it began is empty, and holds the next event', async () => {
    await stack.whileStopped(async () => {
      await holdEvent(deps, 'parked', entry('a'));
      await deps.client.workflow.getHandle(heldEventsId(deps.entity, 'parked')).terminate('operator');
    });
    expect(await listHeldEvents(deps, 'parked')).toEqual({ entries: [], dropped: 0 });
    await holdEvent(deps, 'parked', entry('b'));
    expect((await listHeldEvents(deps, 'parked')).entries).toEqual([entry('b')]);
  });

  test('no event is lost or duplicated while the workflow continues as new', async () => {
    const ids = Array.from({ length: 300 }, () => randomUUID());
    for (let sent = 0; sent < ids.length; sent += 30) {
      await Promise.all(ids.slice(sent, sent + 30).map((id) => holdEvent(deps, 'parked', entry(id))));
    }
    const { entries, dropped } = await listHeldEvents(deps, 'parked');
    expect(dropped).toBe(0);
    expect(entries.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const { historyLength } = await deps.client.workflow.getHandle(heldEventsId(deps.entity, 'parked')).describe();
    expect(historyLength).toBeLessThan(300);
  });

  test('a list continues as new after a month, so that a removed key of the ring is not needed for it', async () => {
    await holdEvent(deps, 'parked', entry('a'));
    stack.advancedWorkflows.add(heldEventsId(deps.entity, 'parked'));
    const list = deps.client.workflow.getHandle(heldEventsId(deps.entity, 'parked'));
    const { runId } = await list.describe();
    await stack.advance(29 * DAY);
    expect((await list.describe()).runId).toBe(runId);
    await stack.advance(2 * DAY);
    expect((await list.describe()).runId).not.toBe(runId);
    expect(await listHeldEvents(deps, 'parked')).toEqual({ entries: [entry('a')], dropped: 0 });
  });

  test.each(['x', '漢'])(
    'the list is bounded in bytes, drops the oldest events and counts them (%s)',
    async (letter) => {
      const large = letter.repeat(200_000 / Buffer.byteLength(letter));
      for (let n = 1; n <= 6; n++) await holdEvent(deps, 'parked', entry(`n${n}`, large));
      const { entries, dropped } = await listHeldEvents(deps, 'parked');
      expect(entries.map(({ id }) => id)).toEqual(['n3', 'n4', 'n5', 'n6']);
      expect(dropped).toBe(2);
    },
  );
});
