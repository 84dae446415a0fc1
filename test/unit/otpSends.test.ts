import { OtpRateLimit } from '../../src/domain/otpSends';

const MINUTE = 60_000;
/** An arbitrary time. */
const T = Date.parse('2026-11-28T10:00:00Z');

/** The API allows five mails, then requires a wait of 60 minutes: docs/api-behavior.md#users-and-challenges. */
test('after five mails the next one is allowed an hour after the last', () => {
  const sends = new OtpRateLimit();
  for (let sent = 0; sent < 5; sent++) {
    expect(sends.nextAllowedAt(T + sent * MINUTE)).toBeUndefined();
    sends.recordSend(T + sent * MINUTE);
  }
  const last = T + 4 * MINUTE;
  expect(sends.nextAllowedAt(last)).toBe(last + 60 * MINUTE);
  expect(sends.nextAllowedAt(last + 59 * MINUTE)).toBe(last + 60 * MINUTE);
  expect(sends.nextAllowedAt(last + 60 * MINUTE)).toBeUndefined();
  // All five are available again.
  for (let sent = 0; sent < 4; sent++) sends.recordSend(last + 61 * MINUTE);
  expect(sends.nextAllowedAt(last + 61 * MINUTE)).toBeUndefined();
});

test('mails sent more than an hour ago do not count', () => {
  const sends = new OtpRateLimit();
  for (let sent = 0; sent < 4; sent++) sends.recordSend(T);
  sends.recordSend(T + 60 * MINUTE);
  expect(sends.nextAllowedAt(T + 60 * MINUTE)).toBeUndefined();
});

test('after the API reports the limit, the next mail is allowed an hour later', () => {
  const sends = new OtpRateLimit();
  sends.recordSend(T);
  sends.pause(T + MINUTE);
  expect(sends.nextAllowedAt(T + 2 * MINUTE)).toBe(T + 61 * MINUTE);
  expect(sends.nextAllowedAt(T + 61 * MINUTE)).toBeUndefined();
});
