import { FIRST_READ_AFTER_SWEEPS_MS, sweepDepthMs } from '../../src/domain/sweep';

const MINUTE = 60_000;

test.each([
  [0, 4],
  [0.49, 4],
  [0.5, 8],
  [0.74, 8],
  [0.75, 10],
  [1 - Number.EPSILON / 2, 10],
])('with the random number %d a sweep looks back %d minutes', (random, minutes) => {
  expect(sweepDepthMs(random)).toBe(minutes * MINUTE);
});

test('a flow reads for itself when no sweep looks back that far', () => {
  const depths = Array.from({ length: 1_000 }, (_, index) => sweepDepthMs(index / 1_000));
  expect(Math.max(...depths)).toBe(FIRST_READ_AFTER_SWEEPS_MS);
});
