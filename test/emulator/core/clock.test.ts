import fc from 'fast-check';
import { WorldClock } from '../../../src/emulator/kit/clock';
import { closeOwnEmulator, openWorld } from '../../support/emulator';

afterAll(closeOwnEmulator);

function makeClock(speed: number) {
  const errors: unknown[] = [];
  const clock = new WorldClock({ speed, onError: (error) => errors.push(error), whenIdle: () => Promise.resolve() });
  return { clock, errors };
}

test('events run in order at their due times, except cancelled ones', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ in: fc.integer({ min: 0, max: 1e9 }), cancelled: fc.boolean() }), { maxLength: 60 }),
      async (events) => {
        const { clock } = makeClock(0);
        const begin = clock.now().getTime();
        const seen: number[] = [];
        for (const event of events) {
          const cancel = clock.after(event.in, () => seen.push(clock.now().getTime() - begin));
          if (event.cancelled) cancel();
        }
        await clock.advanceTo(new Date(begin + 1e9));
        const expected = events.filter(({ cancelled }) => !cancelled).map((event) => event.in);
        expect(seen).toEqual(expected.toSorted((a, b) => a - b));
        expect(clock.now().getTime()).toBe(begin + 1e9);
        clock.close();
      },
    ),
  );
});

test('an event that another event schedules runs in the same advance, and a failing event does not stop others', async () => {
  const { clock, errors } = makeClock(0);
  const seen: string[] = [];
  const begin = clock.now().getTime();
  clock.after(10, () => {
    seen.push('first');
    clock.after(5, () => seen.push('second'));
    throw new Error('bug');
  });
  expect(await clock.advanceTo(new Date(begin + 100))).toBe(2);
  expect(seen).toEqual(['first', 'second']);
  expect(errors).toHaveLength(1);
});

test('time never goes back, and an event due in the past runs now', async () => {
  const { clock } = makeClock(0);
  const begin = clock.now();
  await clock.advanceTo(new Date(begin.getTime() + 1000));
  await clock.advanceTo(begin);
  expect(clock.now().getTime()).toBe(begin.getTime() + 1000);
  const times: number[] = [];
  clock.at(begin, () => times.push(clock.now().getTime()));
  expect(times).toEqual([]);
  clock.runDue();
  expect(times).toEqual([begin.getTime() + 1000]);
});

test('a world advances by itself at its speed', async () => {
  const { clock } = makeClock(1000);
  const due = new Date(clock.now().getTime() + 60_000);
  const at = await new Promise<Date>((resolve) => {
    clock.at(due, () => resolve(clock.now()));
  });
  expect(at).toEqual(due);
  clock.close();
});

test('nextDue returns the next event up to a time', () => {
  const { clock } = makeClock(0);
  const begin = clock.now().getTime();
  const cancel = clock.after(50, () => {});
  clock.after(80, () => {});
  expect(clock.nextDue(new Date(begin + 49))).toBeUndefined();
  expect(clock.nextDue(new Date(begin + 100))).toEqual(new Date(begin + 50));
  cancel();
  expect(clock.nextDue(new Date(begin + 100))).toEqual(new Date(begin + 80));
});

test('controls pause, resume and advance the clock', async () => {
  const { control } = await openWorld();
  await control.setSpeed(0);
  const begin = await control.now();
  expect(await control.now()).toEqual(begin);
  await control.advance(86_400_000);
  expect((await control.now()).getTime()).toBe(begin.getTime() + 86_400_000);
  expect(await control.nextDue(new Date(begin.getTime() + 1e10))).toBeUndefined();
  await control.setSpeed(100_000);
  const before = await control.now();
  while ((await control.now()).getTime() < before.getTime() + 60_000);
});

test.each([
  ['POST', '/clock/advance', { durationMs: 9e15 }, 'durationMs'],
  ['POST', '/clock/advance', { to: '9500-01-01T00:00:00Z' }, 'to'],
  ['POST', '/clock/speed', { speed: 1e308 }, 'speed'],
  ['POST', '/transactions/next', { confirmAfterMs: 9e15 }, 'confirmAfterMs'],
  ['POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 9e15 }, 'confirmAfterMs'],
  ['POST', '/faults', { action: { delayMs: 2 ** 31 } }, 'action'],
  ['POST', '/webhooks/faults', { action: 'delay', delayMs: 9e15 }, 'delayMs'],
  ['PATCH', '/settings', { challengeLifetimeMs: 9e15 }, 'challengeLifetimeMs'],
  ['PATCH', '/settings', { rampSessionMs: 9e15 }, 'rampSessionMs'],
  ['PATCH', '/settings', { rampQuoteMs: 9e15 }, 'rampQuoteMs'],
  ['PATCH', '/settings', { webhookAnswerMs: 2 ** 31 }, 'webhookAnswerMs'],
  ['PATCH', '/settings', { latency: { meanMs: 2 ** 31, jitterMs: 0 } }, 'latency.meanMs'],
] as const)('%s %s %j is rejected and breaks nothing', async (method, path, body, field) => {
  const { control } = await openWorld();
  await expect(control.call(method, path, body)).rejects.toThrow('(400)');
  await expect(control.call(method, path, body)).rejects.toThrow(field);
  await control.advance(1000);
});

test('a world stops at the end of its time and still responds', async () => {
  const { control } = await openWorld();
  const end = new Date('9000-01-01T00:00:00Z');
  await control.setSpeed(1e9);
  await control.advanceTo(new Date(end.getTime() - 1));
  expect(await control.now()).toEqual(end);
  await expect(control.advance(1)).rejects.toThrow('9000-01-01');
  const { clock } = makeClock(1e9);
  await clock.advanceTo(end);
  clock.after(1, () => {
    throw new Error('after the end');
  });
  expect(clock.runDue()).toBe(0);
  clock.close();
});
