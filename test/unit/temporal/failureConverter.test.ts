import {
  ApplicationFailure,
  defaultPayloadConverter,
  type ProtoFailure,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { untrusted } from '../../../src/domain/untrusted';
import { failureConverter } from '../../../src/temporal/failureConverter';

const payloads = defaultPayloadConverter;
const toFailure = (error: Error) => failureConverter.errorToFailure(error, payloads);
const toError = (failure: ProtoFailure) => failureConverter.failureToError(failure, payloads);
const refused = () => ApplicationFailure.nonRetryable('no funds', 'ApiRefused', { code: 155201 });

test('a failure arrives as it was, and shows its message only in the payload', () => {
  const failure = toFailure(refused());
  expect(failure).toMatchObject({ message: 'Encoded failure', stackTrace: '' });
  expect(toError(failure)).toMatchObject({
    message: 'no funds',
    type: 'ApiRefused',
    nonRetryable: true,
    details: [{ code: 155201 }],
  });
});

test('a cause is believed or not by its own payload', () => {
  const failure = toFailure(ApplicationFailure.create({ message: 'outer', cause: refused() }));
  expect(toError(failure).cause).toMatchObject({ message: 'no funds' });
  expect(toError({ ...failure, cause: { message: 'planted' } }).cause).toMatchObject({ type: 'Untrusted' });
});

const PLANTED: [what: string, plant: (genuine: ProtoFailure) => ProtoFailure][] = [
  ['a failure without a payload', ({ encodedAttributes: _, ...failure }) => failure],
  [
    'a payload that the codec does not believe',
    (failure) => ({ ...failure, encodedAttributes: payloads.toPayload(untrusted('copied')) }),
  ],
  [
    'another type',
    (failure) => ({
      ...failure,
      applicationFailureInfo: { ...failure.applicationFailureInfo, type: 'OutcomeUnknown' },
    }),
  ],
  [
    'another retryability',
    (failure) => ({ ...failure, applicationFailureInfo: { ...failure.applicationFailureInfo, nonRetryable: false } }),
  ],
  [
    'a detail that the codec does not believe',
    (failure) => ({
      ...failure,
      applicationFailureInfo: {
        ...failure.applicationFailureInfo,
        details: { payloads: [payloads.toPayload(untrusted('plain'))!] },
      },
    }),
  ],
  ['no information', () => ({ message: 'planted' })],
  ['a failure of the server', () => ({ message: 'planted', serverFailureInfo: { nonRetryable: true } })],
];

test.each(PLANTED)('%s is not believed', (_what, plant) => {
  const error = toError(plant(toFailure(refused())));
  expect(error).toMatchObject({ type: 'Untrusted', nonRetryable: true });
  expect(error.message).not.toContain('planted');
});

test("the server's timeouts are taken as they are", () => {
  const failure: ProtoFailure = { message: 'activity timeout', timeoutFailureInfo: { timeoutType: 1 } };
  const error = toError(failure);
  expect(error).toBeInstanceOf(TimeoutFailure);
  expect((error as TimeoutFailure).timeoutType).toBe(TimeoutType.START_TO_CLOSE);
});
