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
 * such a payload: anyone who can write to the namespace can fail an activity. Exceptions are what the server itself
 * reports, such as a timeout; nothing of it is taken for an answer of the API.
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
    if (!problem) return error!;
    return ApplicationFailure.nonRetryable(
      `the failure was not sent by this installation: ${causeOf(problem)}`,
      FAILURE_TYPES.untrusted,
    );
  }
}

/** The server and the SDK's core wrap the failure of an activity or a workflow, and report timeouts and ends. */
function isReportedByServer(failure: ProtoFailure): boolean {
  return Boolean(
    failure.timeoutFailureInfo ??
    failure.canceledFailureInfo ??
    failure.terminatedFailureInfo ??
    failure.activityFailureInfo ??
    failure.childWorkflowExecutionFailureInfo,
  );
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
