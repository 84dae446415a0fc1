import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { generateKeyRing, KeyRing } from '../../../src/crypto/keyRing';
import { EncryptingCodec } from '../../../src/crypto/payloadCodec';
import { connectClient } from '../../../src/temporal/connection';
import { ensureSweepSchedule, removeSweepSchedule, sweepScheduleId } from '../../../src/temporal/sweepSchedule';
import { TEMPORAL } from '../../support/stack';

const HOUR = 3_600_000;
const first = generateKeyRing(new Date());
const { identity, current: oldId } = first;
const newId = `new-${oldId}`;
const added = randomBytes(32).toString('base64');
/** The rounds of docs/security.md#rotation in which a worker restarts with another key, or without the old one. */
const RINGS = {
  before: new KeyRing(first),
  named: new KeyRing({ identity, current: newId, keys: { ...first.keys, [newId]: added } }),
  removed: new KeyRing({ identity, current: newId, keys: { [newId]: added } }),
};

describe('the schedule of the sweeps', () => {
  const clients: Client[] = [];
  let entity: string;

  const clientOf = async (ring: KeyRing) => {
    const client = await connectClient([new EncryptingCodec(ring)], TEMPORAL);
    clients.push(client);
    return client;
  };
  const ensure = async (ring: KeyRing, everyMs: number | undefined) =>
    ensureSweepSchedule(await clientOf(ring), { entity, everyMs, keyId: ring.currentId });
  const describeWith = async (ring: KeyRing) =>
    (await clientOf(ring)).schedule.getHandle(sweepScheduleId(entity)).describe();

  beforeEach(() => {
    entity = `schedule-${randomUUID()}`;
  });
  afterEach(async () => {
    await removeSweepSchedule(await clientOf(RINGS.before), entity);
    for (const client of clients.splice(0)) await client.connection.close();
  });

  test('is created once, and deleted when the entity has none', async () => {
    expect(await ensure(RINGS.before, undefined)).toBe('none');
    expect(await ensure(RINGS.before, HOUR)).toBe('created');
    expect(await ensure(RINGS.before, HOUR)).toBe('none');
    expect((await describeWith(RINGS.before)).spec.intervals).toMatchObject([{ every: HOUR }]);
    expect(await ensure(RINGS.before, undefined)).toBe('deleted');
    await expect(describeWith(RINGS.before)).rejects.toThrow('not found');
  });

  test('needs no key that a rotation has removed', async () => {
    await ensure(RINGS.before, HOUR);
    expect(await ensure(RINGS.named, HOUR)).toBe('replaced');
    expect(await ensure(RINGS.removed, HOUR)).toBe('none');
    const { action } = await describeWith(RINGS.removed);
    expect(action).toMatchObject({ workflowType: 'sweep', args: [expect.anything()] });
  });

  test('a worker without the key of an older schedule starts, and replaces it', async () => {
    await ensure(RINGS.before, HOUR);
    expect(await ensure(RINGS.removed, HOUR)).toBe('replaced');
    expect(await ensure(RINGS.removed, undefined)).toBe('deleted');
  });

  test('stays paused when its interval changes', async () => {
    await ensure(RINGS.before, HOUR);
    const client = await clientOf(RINGS.before);
    await client.schedule.getHandle(sweepScheduleId(entity)).pause('maintenance until Monday');
    expect(await ensure(RINGS.before, 2 * HOUR)).toBe('replaced');
    expect((await describeWith(RINGS.before)).state).toMatchObject({ paused: true, note: 'maintenance until Monday' });
  });

  test('is replaced, or deleted, if someone has made another one of it', async () => {
    const other = async () =>
      (await clientOf(RINGS.before)).schedule.create({
        scheduleId: sweepScheduleId(entity),
        spec: { calendars: [{ hour: 3 }] },
        action: { type: 'startWorkflow', workflowType: 'sweep', workflowId: 'other', taskQueue: 'other', args: [] },
      });
    await other();
    expect(await ensure(RINGS.before, HOUR)).toBe('replaced');
    expect((await describeWith(RINGS.before)).spec.intervals).toMatchObject([{ every: HOUR }]);
    expect(await ensure(RINGS.before, undefined)).toBe('deleted');
    await other();
    expect(await ensure(RINGS.before, undefined)).toBe('deleted');
  });
});
