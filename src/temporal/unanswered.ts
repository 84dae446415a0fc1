import { isGrpcServiceError, QueryNotRegisteredError } from '@temporalio/client';

/** gRPC status codes. */
const DEADLINE_EXCEEDED = 4;
const FAILED_PRECONDITION = 9;

/** Why no worker answered a query, or could not: which worker is missing. Undefined if the server itself failed. */
export function unansweredBy(error: unknown): string | undefined {
  // The server rejects queries while the latest workflow task has failed.
  if (isFailedPrecondition(error)) return 'a worker with fixed code: the workflow task fails or times out';
  if (error instanceof QueryNotRegisteredError)
    return `a worker with fixed code: one could not respond (${error.message})`;
  return hasCode(error, DEADLINE_EXCEEDED) ? 'a worker: none responded' : undefined;
}

/** Whether the server rejected a call because of the workflow's state. */
export function isFailedPrecondition(error: unknown): boolean {
  return hasCode(error, FAILED_PRECONDITION);
}

/** The SDK throws the server's error, or an error of its own with that one as the cause. */
function hasCode(error: unknown, code: number): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => isGrpcServiceError(each) && Number(each.code) === code);
}
