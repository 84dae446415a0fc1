import { shareUsed } from '../../../bench/share';

/** Five requests every `everyMs` milliseconds. */
function bursts(count: number, everyMs: number): number[] {
  return Array.from({ length: count }, (_, index) => 1_000 + Math.floor(index / 5) * everyMs);
}

const allAtOnce = Array<number>(100).fill(0);

test.each([
  [1_000, 1],
  [1_250, 0.8],
  [2_000, 0.5],
])('bursts of five every %i ms use %f of a limit of five per second', (everyMs, share) => {
  expect(shareUsed({ scheduled: allAtOnce, admitted: bursts(100, everyMs) }, 5, 10)).toBeCloseTo(share);
});

test('rounds in which too few tasks waited do not count', () => {
  const late = allAtOnce.map((_, index) => (index < 50 ? 0 : 60_000));
  const stopped = [...bursts(50, 1_000), ...bursts(50, 1_000).map((at) => at + 60_000)];
  expect(shareUsed({ scheduled: late, admitted: stopped }, 5, 10)).toBeCloseTo(1);
});

test('without a complete round the share is NaN', () => {
  expect(shareUsed({ scheduled: allAtOnce, admitted: bursts(5, 1_000) }, 5, 10)).toBeNaN();
});
