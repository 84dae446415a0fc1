import { OtpSends } from '../../src/domain/otpSends';

const MINUTE = 60_000;
/** Any time; nothing depends on it. */
const T = Date.parse('2026-11-28T10:00:00Z');

/** Spec, Limits: five sends, then 60 minutes of waiting. */
test('after five sends nothing for an hour, counted from the last', () => {
  const sends = new OtpSends();
  for (let sent = 0; sent < 5; sent++) {
    expect(sends.nextAt(T + sent * MINUTE)).toBeUndefined();
    sends.count(T + sent * MINUTE);
  }
  const last = T + 4 * MINUTE;
  expect(sends.nextAt(last)).toBe(last + 60 * MINUTE);
  expect(sends.nextAt(last + 59 * MINUTE)).toBe(last + 60 * MINUTE);
  expect(sends.nextAt(last + 60 * MINUTE)).toBeUndefined();
  // All five are there again.
  for (let sent = 0; sent < 4; sent++) sends.count(last + 61 * MINUTE);
  expect(sends.nextAt(last + 61 * MINUTE)).toBeUndefined();
});

test('sends of more than an hour ago do not count', () => {
  const sends = new OtpSends();
  for (let sent = 0; sent < 4; sent++) sends.count(T);
  sends.count(T + 60 * MINUTE);
  expect(sends.nextAt(T + 60 * MINUTE)).toBeUndefined();
});

test('the API knows of more: nothing for an hour from its word', () => {
  const sends = new OtpSends();
  sends.count(T);
  sends.close(T + MINUTE);
  expect(sends.nextAt(T + 2 * MINUTE)).toBe(T + 61 * MINUTE);
  expect(sends.nextAt(T + 61 * MINUTE)).toBeUndefined();
});
