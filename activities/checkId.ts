import type { OperationId } from '../src/api';
import { callFailure } from '../src/api/apiError';

/**
 * A response about another thing than the one that was asked for cannot be read: what follows would be about that one.
 * @throws ApiError
 */
export function checkId(endpoint: OperationId, asked: string, shown: string): void {
  if (shown.toLowerCase() !== asked.toLowerCase()) throw callFailure('unreadable', endpoint, { status: 200 });
}
