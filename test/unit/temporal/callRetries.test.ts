import { Metadata, status } from '@grpc/grpc-js';
import { CallRetries } from '../../../src/temporal/callRetries';

const UNAVAILABLE = { code: status.UNAVAILABLE, details: '', metadata: new Metadata() };

test('a call is tried again until the end, and not after it', async () => {
  const retries = new CallRetries();
  expect(retries.retryableDecider(1, UNAVAILABLE)).toBe(true);
  await retries.end();
  expect(retries.retryableDecider(1, UNAVAILABLE)).toBe(false);
});

test('the end waits for a retry that is still to begin', async () => {
  const retries = new CallRetries();
  let begun = false;
  setTimeout(() => (begun = true), retries.delayFunction(1, UNAVAILABLE));
  await retries.end();
  expect(begun).toBe(true);
});
