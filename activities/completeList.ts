import type { ApiResponse, OperationId } from '../src/api';
import { callFailure } from '../src/api/apiError';

/**
 * The rows of a list, for a caller that draws conclusions from what is not in it.
 * @throws ApiError `UnreadableResponse` if the list is missing, or if a row could not be read
 */
export function completeList<Row>(
  endpoint: OperationId,
  { skippedRows }: Pick<ApiResponse<unknown>, 'skippedRows'>,
  rows: readonly Row[] | undefined,
): readonly Row[] {
  if (rows === undefined || skippedRows > 0) throw callFailure('unreadable', endpoint, { status: 200 });
  return rows;
}
