import { Metadata, status } from '@grpc/grpc-js';
import { StoppableRetries } from '../../../src/temporal/callRetries';

const UNAVAILABLE = { code: status.UNAVAILABLE, details: '', metadata: new Metadata() };

test('a call is retried until retries are stopped', async () => {
  const retries = new StoppableRetries();
  expect(retries.retryableDecider(1, UNAVAILABLE)).toBe(true);
  await retries.stop();
  expect(retries.retryableDecider(1, UNAVAILABLE)).toBe(false);
});

test('stopping waits for a retry that has not started yet', async () => {
  const retries = new StoppableRetries();
  let started = false;
  setTimeout(() => (started = true), retries.delayFunction(1, UNAVAILABLE));
  await retries.stop();
  expect(started).toBe(true);
});
