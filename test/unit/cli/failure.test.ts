import { ServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { apiErrorOf, callFailure } from '../../../src/api/apiError';
import { failureOf, RefusedError, UsageError } from '../../../src/cli/failure';
import { MissingSearchAttributesError } from '../../../src/cli/workerProcess';
import {
  FlowConflictError,
  FlowInputError,
  FlowNotFoundError,
  FlowNotReachableError,
  FlowRefusedError,
} from '../../../src/client/errors';
import { ConfigurationError } from '../../../src/config';
import { DevServerError } from '../../../src/dev/devServer';
import { TemporalBinaryError } from '../../../src/dev/temporalBinary';
import { BundleMismatchError } from '../../../src/temporal/bundle';
import { TemporalUnreachableError } from '../../../src/temporal/connection';

const grpc = (code: number, details: string) =>
  Object.assign(new Error(`${code} ${details}`), { code, details, metadata: {} });
const requestId = '0190a1b2-0000-7000-8000-000000000001';

/** [error, exit code] */
const FAILURES: [error: Error, exitCode: number][] = [
  [new UsageError('--body: is not valid JSON; correct it'), 2],
  [new ConfigurationError([{ where: 'WALLETFLOW_ENTITY', what: 'is not set', remedy: 'Set it.' }]), 2],
  [new FlowInputError('transfer', ['to: is missing; add it']), 2],
  [new BundleMismatchError('The bundle does not fit. Run npm run build'), 2],
  [new MissingSearchAttributesError(['FlowKind'], 'default'), 2],
  [grpc(5, 'Namespace nix is not found'), 2],
  [grpc(7, 'Request unauthorized'), 2],
  [new RefusedError('createTransfer: live'), 1],
  [new FlowNotFoundError('main/transfer/a'), 1],
  [new FlowRefusedError('The flow has ended'), 1],
  [apiErrorOf('getTransaction', {}, { status: 404, code: 156003, requestId }), 1],
  [callFailure('missingSecret', 'createTransfer', { local: true }), 1],
  [callFailure('notSent', 'getTransaction'), 3],
  [callFailure('noResponse', 'getTransaction', { requestId }), 3],
  [new FlowNotReachableError('main/transfer/a', 'id-1'), 3],
  [new TemporalUnreachableError('127.0.0.1:1', new Error('refused')), 3],
  [new TemporalBinaryError('No Temporal server'), 3],
  [new DevServerError('ended at start'), 3],
  [grpc(14, 'No connection established'), 3],
  [new ServiceError('Failed to list', { cause: grpc(4, 'Deadline exceeded') }), 3],
];

test.each(FAILURES.map(([error, exitCode]) => ({ name: error.name, message: error.message, error, exitCode })))(
  '$name ($message) exits with $exitCode and shows its own message',
  ({ error, exitCode }) => {
    const failure = failureOf(error);
    expect(failure.exitCode).toBe(exitCode);
    const { details } =
      ([error.cause, error].find((one) => (one as { details?: string })?.details) as { details?: string }) ?? {};
    expect(failure.message).toContain(details ?? error.message);
  },
);

test('the message for a missing namespace names the remedy', () => {
  expect(failureOf(new NamespaceNotFoundError('nix'))).toEqual({
    exitCode: 2,
    message: 'Temporal has no namespace nix. Create it, or correct TEMPORAL_NAMESPACE.',
  });
});

test('the message for a conflict names the flow as commands do, and the command that shows it', () => {
  expect(failureOf(new FlowConflictError('main/transfer/inv-42'))).toEqual({
    exitCode: 1,
    message:
      'transfer/inv-42 already exists with a different input. Use a new ref to start another flow; ' +
      'to see the existing flow: npx walletflow status transfer/inv-42',
  });
});

test('the message for a bug is one line and names the option that shows more', () => {
  expect(failureOf(new TypeError("can't read x\nmore"))).toEqual({
    exitCode: 1,
    message: "TypeError: can't read x (use --debug for the stack trace)",
  });
});
