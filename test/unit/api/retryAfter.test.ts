import fc from 'fast-check';
import { parseRetryAfter } from '../../../src/api/retryAfter';

const NOW = Date.UTC(2026, 9, 21, 7, 28, 0);
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString();

test.each([
  ['2', 2000],
  ['1.5', 1500],
  [' 2 ', 2000],
  ['0', 0],
  ['0.0001', 1],
  [inSeconds(3), 3000],
  // A timer of more than 24.8 days would fire at once, so the wait is capped.
  ['99999999', 86_400_000],
  ['9'.repeat(400), 86_400_000],
  [inSeconds(10_000_000), 86_400_000],
])('%j means a wait of %d ms', (text, ms) => expect(parseRetryAfter(text, NOW)).toBe(ms));

test.each([undefined, '', ' ', 'soon', '-5', '1e3', '0x10', 'NaN', 'Infinity', '1,5', '2 s', '2026-10-21T07:28:03Z'])(
  '%j is ignored',
  (text) => expect(parseRetryAfter(text, NOW)).toBeUndefined(),
);

test.each([inSeconds(-60), inSeconds(0), 'Wed, 99 Xyz 2026 07:28:00 GMT'])('the date %j is ignored', (text) =>
  expect(parseRetryAfter(text, NOW)).toBeUndefined(),
);

test('no text leads to a wait that makes a timer fire at once', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)), (text) => {
      const ms = parseRetryAfter(text, NOW) ?? 0;
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(86_400_000);
    }),
  );
});
