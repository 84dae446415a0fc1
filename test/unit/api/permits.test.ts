import { LocalBucket, OPEN_GATE, type Permit } from '../../../src/api/permits';

const PER_SECOND = 5;
const never = new AbortController().signal;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function bucket(share = 1): LocalBucket {
  return new LocalBucket('createTransfer', PER_SECOND, share, OPEN_GATE);
}

async function takeAll(from: LocalBucket): Promise<Permit[]> {
  return Promise.all(Array.from({ length: from.size }, () => from.take(never)));
}

/** Whether a permit is available at once. */
async function hasOne(from: LocalBucket): Promise<boolean> {
  const giveUp = new AbortController();
  const taken = from.take(giveUp.signal).then(
    (permit) => {
      permit.release();
      return true;
    },
    () => false,
  );
  giveUp.abort();
  return taken;
}

/** Sends requests one after the other with these latencies in milliseconds. */
async function send(through: LocalBucket, latencies: readonly number[]): Promise<void> {
  for (const latency of latencies) {
    const permit = await through.take(never);
    permit.use();
    await jest.advanceTimersByTimeAsync(latency);
    through.recordResponse(latency);
    await jest.advanceTimersByTimeAsync(2_000);
  }
}

test('a bucket has one permit for each request per second, and an unused permit is returned at once', async () => {
  const five = bucket();
  const [first] = await takeAll(five);
  expect(await hasOne(five)).toBe(false);
  first!.release();
  expect(await hasOne(five)).toBe(true);
});

test('a permit whose task sends no request is returned at once, and the others when their time has come', async () => {
  const five = bucket();
  for (const permit of await takeAll(five)) permit.use();
  expect(await hasOne(five)).toBe(false);
  five.returnUnsent();
  await jest.advanceTimersByTimeAsync(0);
  await five.take(never);
  expect(await hasOne(five)).toBe(false);
  for (let count = 0; count < 4; count++) five.recordResponse(0);
  await jest.advanceTimersByTimeAsync(1_100);
  for (let count = 0; count < 4; count++) await five.take(never);
  expect(await hasOne(five)).toBe(false);
});

test('a share of less than one request per second makes the window longer', async () => {
  const tenth = bucket(0.02);
  expect(tenth.size).toBe(1);
  (await tenth.take(never)).use();
  tenth.recordResponse(0);
  await jest.advanceTimersByTimeAsync(9_999);
  expect(await hasOne(tenth)).toBe(false);
  await jest.advanceTimersByTimeAsync(100);
  expect(await hasOne(tenth)).toBe(true);
});

test.each([
  ['one window after the response if no latency is known', [], 200, 1_000],
  ['one window after a request of usual latency was sent', Array(20).fill(200), 200, 800],
  ['later by the extra latency of a slow request', Array(20).fill(200), 290, 800],
])('a permit is available again %s', async (_name, earlier, latency, afterResponse) => {
  const five = bucket();
  await send(five, earlier);
  for (const permit of await takeAll(five)) permit.use();
  await jest.advanceTimersByTimeAsync(latency);
  five.recordResponse(latency);
  await jest.advanceTimersByTimeAsync(afterResponse - 1);
  expect(await hasOne(five)).toBe(false);
  await jest.advanceTimersByTimeAsync(five.marginMs + 1);
  expect(await hasOne(five)).toBe(true);
});

test('a permit whose request gets no response returns by itself, once', async () => {
  const five = bucket();
  for (const permit of await takeAll(five)) permit.use();
  await jest.advanceTimersByTimeAsync(1_499);
  expect(await hasOne(five)).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await takeAll(five);
  five.recordResponse(3_000);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await hasOne(five)).toBe(false);
});

test('after a 429 no permit is available until the pause is over, and the margin is wider for a while', async () => {
  const five = bucket();
  const margin = five.marginMs;
  five.pause(2_000);
  expect(five.marginMs).toBe(margin + 20);
  expect(await hasOne(five)).toBe(false);
  const waiting = five.take(never);
  await jest.advanceTimersByTimeAsync(2_001);
  await waiting;
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  expect(five.marginMs).toBeCloseTo(margin, 0);
});

test('waiting callers are served in order, and a caller that aborts is skipped', async () => {
  const one = bucket(0.2);
  const held = await one.take(never);
  const giveUp = new AbortController();
  const served: string[] = [];
  const aborted = one.take(giveUp.signal);
  const [second, third] = ['second', 'third'].map(async (name) => {
    const permit = await one.take(never);
    served.push(name);
    return permit;
  });
  giveUp.abort();
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  held.release();
  (await second!).release();
  await third;
  expect(served).toEqual(['second', 'third']);
});
