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

/** Whether a permit can be had at once. */
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

/** One request after the other, each of so many milliseconds. */
async function send(through: LocalBucket, latencies: readonly number[]): Promise<void> {
  for (const latency of latencies) {
    const permit = await through.take(never);
    permit.use();
    await jest.advanceTimersByTimeAsync(latency);
    through.answered(latency);
    await jest.advanceTimersByTimeAsync(2_000);
  }
}

test('there are as many permits as requests in a second, and one that was not used comes back at once', async () => {
  const five = bucket();
  const [first] = await takeAll(five);
  expect(await hasOne(five)).toBe(false);
  first!.release();
  expect(await hasOne(five)).toBe(true);
});

test('a part of a limit below one is a longer window', async () => {
  const tenth = bucket(0.02);
  expect(tenth.size).toBe(1);
  (await tenth.take(never)).use();
  tenth.answered(0);
  await jest.advanceTimersByTimeAsync(9_999);
  expect(await hasOne(tenth)).toBe(false);
  await jest.advanceTimersByTimeAsync(100);
  expect(await hasOne(tenth)).toBe(true);
});

test.each([
  ['nothing is known of latencies: a window after the answer', [], 200, 1_000],
  ['it was as quick as others: a window after it was sent', Array(20).fill(200), 200, 800],
  ['it was slower than quick ones: by so much later', Array(20).fill(200), 290, 800],
])('a permit comes back when %s', async (_name, earlier, latency, afterAnswer) => {
  const five = bucket();
  await send(five, earlier);
  for (const permit of await takeAll(five)) permit.use();
  await jest.advanceTimersByTimeAsync(latency);
  five.answered(latency);
  await jest.advanceTimersByTimeAsync(afterAnswer - 1);
  expect(await hasOne(five)).toBe(false);
  await jest.advanceTimersByTimeAsync(five.marginMs + 1);
  expect(await hasOne(five)).toBe(true);
});

test('a permit whose request gets no answer comes back by itself, once', async () => {
  const five = bucket();
  for (const permit of await takeAll(five)) permit.use();
  await jest.advanceTimersByTimeAsync(1_499);
  expect(await hasOne(five)).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await takeAll(five);
  five.answered(3_000);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await hasOne(five)).toBe(false);
});

test('after a 429 there is none until the pause is over, and the margin is wider for a while', async () => {
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

test('who waits first is served first, and who gives up is forgotten', async () => {
  const one = bucket(0.2);
  const held = await one.take(never);
  const giveUp = new AbortController();
  const served: string[] = [];
  const gone = one.take(giveUp.signal);
  const [second, third] = ['second', 'third'].map(async (name) => {
    const permit = await one.take(never);
    served.push(name);
    return permit;
  });
  giveUp.abort();
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
  held.release();
  (await second!).release();
  await third;
  expect(served).toEqual(['second', 'third']);
});
