import type { Info } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ApiError } from '../../../src/api';
import { apiErrorOf, callFailure } from '../../../src/api/apiError';
import { EntityLimits } from '../../../src/api/limits';
import type { ApiFailure } from '../../../src/domain/apiFailure';
import type { AttemptNotes } from '../../../src/domain/attempt';
import { ApiActivityInterceptor } from '../../../src/temporal/activityInterceptor';

const MINUTE = 60_000;
const NOW = Date.now();
const KEYED = { activityType: 'createTransfer' };
const UNKEYED = { activityType: 'requestDrip' };

const responseOf = (status: number, code?: number) =>
  apiErrorOf('createTransfer', {}, { status, code, requestId: 'request-1' });
const lost = () => callFailure('noResponse', 'createTransfer');

/** Runs one attempt. @param call what the body of the activity does */
async function run(info: Partial<Info>, call: () => unknown, limits = limitsOf()) {
  const scheduled = { currentAttemptScheduledTimestampMs: NOW, scheduledTimestampMs: NOW };
  const environment = new MockActivityEnvironment({ ...scheduled, ...info });
  const noted: AttemptNotes[] = [];
  environment.on('heartbeat', (notes: AttemptNotes) => noted.push(notes));
  const interceptor = new ApiActivityInterceptor(environment.context, limits, () => undefined);
  let isSent = false;
  const next = async () => {
    isSent = true;
    return call();
  };
  const failure = await interceptor.execute({ args: [], headers: {} }, next).then(
    () => undefined,
    (error: ApplicationFailure) => error,
  );
  return { failure, details: failure?.details?.[0] as ApiFailure | undefined, noted, isSent };
}

const limitsOf = () => new EntityLimits('acme', 1, { opened: () => {}, closed: () => {} });
const fail = (error: ApiError) => () => {
  throw error;
};
const notesOf = (attempt: number, more: Partial<AttemptNotes> = {}) => ({ attempt, unexpectedResponses: 0, ...more });

describe('an attempt', () => {
  test('notes before it sends that the API may execute it', async () => {
    const { noted, isSent, failure } = await run({ ...KEYED, attempt: 1 }, () => 'done');
    expect({ isSent, failure }).toEqual({ isSent: true, failure: undefined });
    expect(noted).toEqual([notesOf(1, { taintedSince: expect.any(Number) })]);
    expect(noted[0]!.taintedSince).toBeGreaterThanOrEqual(NOW);
  });

  test('removes the taint that it noted itself after a refusal', async () => {
    const { noted, details, failure } = await run({ ...KEYED, attempt: 1 }, fail(responseOf(400, 155201)));
    expect(noted[1]).toEqual({ ...notesOf(1), wasRefused: true });
    expect(failure).toMatchObject({ type: 'ApiRefused', nonRetryable: true });
    expect(details).toMatchObject({ code: 155201, kind: 'attention', tainted: false, requestId: 'request-1' });
  });

  test('keeps the taint of an earlier attempt after a refusal', async () => {
    const taintedSince = NOW - 5 * MINUTE;
    const info = { ...KEYED, attempt: 2, heartbeatDetails: notesOf(1, { taintedSince }) };
    const { noted, details } = await run(info, fail(responseOf(400, 155201)));
    expect(noted.map((notes) => notes.taintedSince)).toEqual([taintedSince, taintedSince]);
    expect(details).toMatchObject({ code: 155201, tainted: true });
  });

  test('keeps the taint that it noted itself if no response arrives', async () => {
    const { noted, failure, details } = await run({ ...KEYED, attempt: 1 }, fail(lost()));
    expect(noted[1]).toEqual(noted[0]);
    expect(failure).toMatchObject({ type: 'ApiRetry', nonRetryable: false });
    expect(details).toMatchObject({ name: 'NoResponse', tainted: true });
  });

  test('names the run of its workflow, headers and bodies not', async () => {
    const workflowExecution = { workflowId: 'acme/transfer/inv-1', runId: 'run-1' };
    const { details } = await run({ ...KEYED, attempt: 1, workflowExecution }, fail(responseOf(400, 155219)));
    const fields = ['code', 'endpoint', 'kind', 'name', 'remedy', 'requestId', 'runId', 'status', 'tainted'];
    expect(Object.keys(details!).toSorted()).toEqual(fields);
    expect(details!.runId).toBe('run-1');
  });

  test('counts unexpected responses over all attempts', async () => {
    const info = { ...KEYED, attempt: 6, heartbeatDetails: notesOf(5, { unexpectedResponses: 5 }) };
    const { failure, noted } = await run(info, fail(callFailure('unrecognized', 'createTransfer', { status: 200 })));
    expect(noted.at(-1)!.unexpectedResponses).toBe(6);
    expect(failure).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
  });

  test('sends nothing if the API may have forgotten the key', async () => {
    const notes = notesOf(1, { taintedSince: NOW - 61 * MINUTE });
    const { isSent, failure, details, noted } = await run(
      { ...KEYED, attempt: 2, heartbeatDetails: notes },
      () => 'done',
    );
    expect(isSent).toBe(false);
    expect(failure).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
    expect(details).toMatchObject({ name: 'IdempotencyKeyExpired', kind: 'resolve', tainted: true });
    expect(noted).toEqual([{ ...notes, attempt: 2 }]);
  });

  test('without a key sends nothing if an earlier one left no notes', async () => {
    const { isSent, failure, details } = await run({ ...UNKEYED, attempt: 2 }, () => 'done');
    expect(isSent).toBe(false);
    expect(failure).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
    expect(details).toMatchObject({ name: 'NoResponse', tainted: true });
  });

  test('passes the notes on if the breaker is open', async () => {
    const limits = limitsOf();
    await run({ ...KEYED, attempt: 1 }, fail(responseOf(401)), limits);
    const notes = notesOf(1, { taintedSince: NOW - 5 * MINUTE, unexpectedResponses: 2 });
    const { isSent, failure, noted } = await run(
      { ...KEYED, attempt: 2, heartbeatDetails: notes },
      () => 'done',
      limits,
    );
    expect(isSent).toBe(false);
    expect(failure).toMatchObject({ type: 'EntityHalted', nonRetryable: false });
    expect(noted).toEqual([{ ...notes, attempt: 2 }]);
  });

  test('throws every other error unchanged, with the taint noted', async () => {
    const bug = new TypeError('bug');
    const { failure, noted } = await run({ ...KEYED, attempt: 1 }, fail(bug as never));
    expect(failure).toBe(bug);
    expect(noted).toEqual([notesOf(1, { taintedSince: expect.any(Number) })]);
  });
});
