import { parseWorkflowId } from '../domain/ref';
import { EXIT, type ExitCode } from './exitCodes';

/** Something in the command line or an input file can't be used: `<what>: <what is wrong>; <remedy>`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood and said no. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/**
 * Exit codes by the name of the error, so that the classes (and what they import) need not be loaded. An error that is not
 * here is a bug.
 */
const EXIT_BY_NAME: Readonly<Record<string, ExitCode>> = {
  UsageError: EXIT.usage,
  ConfigurationError: EXIT.usage,
  KeyFileError: EXIT.usage,
  FlowInputError: EXIT.usage,
  InvalidRequest: EXIT.usage,
  BundleMismatchError: EXIT.usage,
  SearchAttributeTypeError: EXIT.usage,
  MissingSearchAttributesError: EXIT.usage,
  RefusedError: EXIT.refused,
  FlowConflictError: EXIT.refused,
  FlowNotFoundError: EXIT.refused,
  FlowRefusedError: EXIT.refused,
  FlowNotReachableError: EXIT.unreachable,
  NamespaceNotFoundError: EXIT.usage,
  TemporalUnreachableError: EXIT.unreachable,
  TemporalBinaryError: EXIT.unreachable,
  DevServerError: EXIT.unreachable,
};

/** Where the error's own words leave out what to do here. */
const MESSAGE_BY_NAME: Readonly<Record<string, (error: Error) => string>> = {
  NamespaceNotFoundError: ({ message }) =>
    `Temporal has no namespace ${message.match(/'(.+)'/)?.[1] ?? 'of this name'}. Create it, or correct TEMPORAL_NAMESPACE.`,
  FlowConflictError: (error) => conflictText(error as Error & { workflowId: string }),
};

/** Names the flow as commands do. */
function conflictText({ message, workflowId }: Error & { workflowId: string }): string {
  const name = parseWorkflowId(workflowId);
  if (!name) return message;
  const flowRef = `${name.flow}/${name.ref}`;
  return (
    `${flowRef} was started before with another input. Use a new ref for a new thing; ` +
    `to see the flow that is there: npx walletflow status ${flowRef}`
  );
}

export interface Failure {
  exitCode: ExitCode;
  /** What a person reads: what is wrong and what to do. */
  message: string;
}

/** What a command that threw says, and how it ends. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { exitCode: EXIT.refused, message: String(error) };
  const known = EXIT_BY_NAME[error.name];
  if (known !== undefined) return { exitCode: known, message: MESSAGE_BY_NAME[error.name]?.(error) ?? error.message };
  if (isApiError(error))
    return { exitCode: error.status === 0 && !error.local ? EXIT.unreachable : EXIT.refused, message: error.message };
  const refusal = [error, error.cause].find(isGrpcError);
  if (refusal) return temporalFailure(refusal);
  const [line] = error.message.split('\n');
  return { exitCode: EXIT.refused, message: `${error.name}: ${line} (--debug shows where)` };
}

/** Told by its fields: the catalogue gives each its own name. */
function isApiError(error: Error): error is Error & { status: number; local: boolean } {
  return 'endpoint' in error && 'outcome' in error && 'remedy' in error;
}

/** A refusal of the Temporal server, as the SDK throws it or as the cause of what it throws. */
interface GrpcError {
  code: number;
  details: string;
}

function isGrpcError(error: unknown): error is GrpcError {
  const { code, details } = (error ?? {}) as Partial<GrpcError>;
  return typeof code === 'number' && typeof details === 'string';
}

/** gRPC: INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, UNAUTHENTICATED. Others may pass. */
const CONFIGURED_WRONG: ReadonlySet<number> = new Set([3, 5, 7, 16]);

function temporalFailure({ code, details }: GrpcError): Failure {
  return {
    exitCode: CONFIGURED_WRONG.has(code) ? EXIT.usage : EXIT.unreachable,
    message: `Temporal: ${details.replace(/\.?$/, '.')} Check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and TEMPORAL_API_KEY.`,
  };
}
