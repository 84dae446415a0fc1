import {
  ApplicationFailure,
  DefaultFailureConverter,
  type FailureConverter,
  type PayloadConverter,
  type ProtoFailure,
  type SerializationContext,
} from '@temporalio/common';
import { FAILURE_TYPES } from '../domain/apiFailure';
import { causeOf, type Distrust, distrustOf } from '../domain/untrusted';

/** What the encrypted payload of a failure holds. The server needs type and retryability in plaintext as well. */
interface EncodedAttributes {
  message?: string | null | undefined;
  stack_trace?: string | null | undefined;
  type?: string | null | undefined;
  non_retryable?: boolean | null | undefined;
}

/**
 * Moves message and stack of every failure into a payload, so that the codec encrypts them, and believes only failures with
 * such a payload: anyone who can write to the namespace can fail an activity, with a failure of any kind. Exceptions are
 * what the server itself reports: timeouts, cancellations, and which activity failed. They prove nothing about the API.
 *
 * Client and worker load this module by its path (`dataConverter.ts`), and the workflow bundle contains it (`bundle.ts`).
 */
class AttestedFailureConverter extends DefaultFailureConverter {
  override errorToFailure(error: unknown, payloads: PayloadConverter, context?: SerializationContext): ProtoFailure {
    const failure = this.errorToFailureInner(error, payloads, context);
    const { message, stackTrace, applicationFailureInfo: info } = failure;
    const attributes: EncodedAttributes = {
      message,
      stack_trace: stackTrace,
      ...(info && { type: info.type ?? '', non_retryable: Boolean(info.nonRetryable) }),
    };
    const encodedAttributes = payloads.toPayload(attributes, context);
    return { ...failure, message: 'Encoded failure', stackTrace: '', encodedAttributes };
  }

  override failureToError(failure: ProtoFailure, payloads: PayloadConverter, context?: SerializationContext): Error {
    const distrust = isReportedByServer(failure) ? undefined : distrustOfFailure(failure, payloads, context);
    const error = distrust ? undefined : super.failureToError(failure, payloads, context);
    const details = error instanceof ApplicationFailure ? (error.details ?? []) : [];
    const problem = distrust ?? details.map(distrustOf).find(Boolean);
    return problem ? untrustedFailure(problem) : error!;
  }

  /** The server wraps only the failure itself. A wrapper inside it is as good as any other failure. */
  override optionalFailureToOptionalError(
    failure: ProtoFailure | undefined | null,
    payloads: PayloadConverter,
    context?: SerializationContext,
  ): Error | undefined {
    const distrust = failure && isWrapper(failure) ? distrustOfFailure(failure, payloads, context) : undefined;
    return distrust ? untrustedFailure(distrust) : super.optionalFailureToOptionalError(failure, payloads, context);
  }
}

function untrustedFailure(distrust: Distrust): ApplicationFailure {
  const message = `the failure was not sent by this installation: ${causeOf(distrust)}`;
  return ApplicationFailure.nonRetryable(message, FAILURE_TYPES.untrusted);
}

/** What the server and the SDK's core report without the help of a worker. */
function isReportedByServer(failure: ProtoFailure): boolean {
  return Boolean(failure.timeoutFailureInfo ?? failure.canceledFailureInfo) || isWrapper(failure);
}

/** The failure of an activity or a workflow around its cause. */
function isWrapper(failure: ProtoFailure): boolean {
  return Boolean(failure.activityFailureInfo ?? failure.childWorkflowExecutionFailureInfo);
}

function distrustOfFailure(
  { encodedAttributes, applicationFailureInfo: info }: ProtoFailure,
  payloads: PayloadConverter,
  context: SerializationContext | undefined,
): Distrust | undefined {
  if (!encodedAttributes) return 'plain';
  const attributes = payloads.fromPayload<EncodedAttributes>(encodedAttributes, context);
  const distrust = distrustOf(attributes);
  if (distrust || !info) return distrust;
  const matches =
    (attributes.type ?? '') === (info.type ?? '') && Boolean(attributes.non_retryable) === Boolean(info.nonRetryable);
  return matches ? undefined : 'forged';
}

export const failureConverter: FailureConverter = new AttestedFailureConverter({ encodeCommonAttributes: true });
