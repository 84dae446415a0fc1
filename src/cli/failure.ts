import { parseWorkflowId } from '../domain/flowId';
import { EXIT, type ExitCode } from './exitCodes';

/** The command line or an input file is invalid. The message has the form `<option or field>: <problem>; <remedy>`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command is valid, but the operation was refused. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/**
 * Exit codes by error name. Names avoid loading the classes and their imports. Apart from API and gRPC errors, an error that
 * is not in this table is a bug.
 */
const EXIT_BY_NAME: Readonly<Record<string, ExitCode>> = {
  UsageError: EXIT.usage,
  ConfigurationError: EXIT.usage,
  KeyFileError: EXIT.usage,
  UnknownKeyError: EXIT.usage,
  FlowInputError: EXIT.usage,
  InvalidRequest: EXIT.usage,
  BundleMismatchError: EXIT.usage,
  SearchAttributeTypeError: EXIT.usage,
  MissingSearchAttributesError: EXIT.usage,
  RefusedError: EXIT.refused,
  FlowConflictError: EXIT.refused,
  FlowNotFoundError: EXIT.refused,
  FlowRefusedError: EXIT.refused,
  FlowInterruptedError: EXIT.refused,
  UntrustedAnswerError: EXIT.refused,
  FlowNotReachableError: EXIT.unreachable,
  HeldEventsUnreadableError: EXIT.unreachable,
  NamespaceNotFoundError: EXIT.usage,
  TemporalUnreachableError: EXIT.unreachable,
  TemporalBinaryError: EXIT.unreachable,
  DevServerError: EXIT.unreachable,
};

/** Messages for errors whose own message lacks the remedy. */
const MESSAGE_BY_NAME: Readonly<Record<string, (error: Error) => string>> = {
  NamespaceNotFoundError: ({ message }) =>
    `Temporal has no namespace ${message.match(/'(.+)'/)?.[1] ?? 'of this name'}. Create it, or correct TEMPORAL_NAMESPACE.`,
  FlowConflictError: (error) => conflictText(error as Error & { workflowId: string }),
};

/** Names the flow as `flow/ref`, as commands do. */
function conflictText({ message, workflowId }: Error & { workflowId: string }): string {
  const name = parseWorkflowId(workflowId);
  if (!name) return message;
  const flowRef = `${name.flow}/${name.ref}`;
  return (
    `${flowRef} already exists with a different input. Use a new ref to start another flow; ` +
    `to see the existing flow: npx walletflow status ${flowRef}`
  );
}

export interface Failure {
  exitCode: ExitCode;
  /** What is wrong and what to do. */
  message: string;
}

/** Exit code and message for an error that a command threw. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { exitCode: EXIT.refused, message: String(error) };
  const known = EXIT_BY_NAME[error.name];
  if (known !== undefined) return { exitCode: known, message: MESSAGE_BY_NAME[error.name]?.(error) ?? error.message };
  if (isApiError(error))
    return { exitCode: error.status === 0 && !error.local ? EXIT.unreachable : EXIT.refused, message: error.message };
  const grpcError = [error, error.cause].find(isGrpcError);
  if (grpcError) return temporalFailure(grpcError);
  const [line] = error.message.split('\n');
  return { exitCode: EXIT.refused, message: `${error.name}: ${line} (use --debug for the stack trace)` };
}

/** Recognized by its fields, because each error of the catalogue has its own name. */
function isApiError(error: Error): error is Error & { status: number; local: boolean } {
  return 'endpoint' in error && 'outcome' in error && 'remedy' in error;
}

/** An error of the Temporal server, as thrown by the SDK or as the cause of the thrown error. */
interface GrpcError {
  code: number;
  details: string;
}

function isGrpcError(error: unknown): error is GrpcError {
  const { code, details } = (error ?? {}) as Partial<GrpcError>;
  return typeof code === 'number' && typeof details === 'string';
}

/** gRPC: INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, UNAUTHENTICATED. Other errors may be temporary. */
const CONFIGURATION_CODES: ReadonlySet<number> = new Set([3, 5, 7, 16]);

function temporalFailure({ code, details }: GrpcError): Failure {
  return {
    exitCode: CONFIGURATION_CODES.has(code) ? EXIT.usage : EXIT.unreachable,
    message: `Temporal: ${details.replace(/\.?$/, '.')} Check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and TEMPORAL_API_KEY.`,
  };
}
