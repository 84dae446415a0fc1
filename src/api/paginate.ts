import type { AnyCallOptions } from './caller';
import type { ApiResponse } from './client';

/** A list endpoint of the API. */
interface Listing<Request, Body> {
  response(request?: Request, options?: AnyCallOptions): Promise<ApiResponse<Body>>;
}

/** A list whose cursor does not advance. */
export class PagingStalledError extends Error {
  override readonly name = 'PagingStalledError';
}

/** A list was read to its end, but some of its rows do not match the contract. A row that was not found may exist. */
export class RowsSkippedError extends Error {
  override readonly name = 'RowsSkippedError';
}

/**
 * Reads a list to its end, one request per page:
 * `paginate(api.listTransactions, request, (body) => body.data.transactions)`.
 *
 * It yields each id once, although the API may send a row that moves between pages twice. A repeated cursor is an
 * error; otherwise the list would never end. The cursor comes from the `Link` header. Only the cursor is used, never
 * the URL, so the API key cannot follow a link to another host. Without that header the last id is the cursor and an
 * empty page is the end.
 * @param pick returns the rows of a page, and adds an `id` to rows without one:
 *   `tokenBalances?.map((row) => ({ ...row, id: row.token.id }))`
 * @throws PagingStalledError; RowsSkippedError after the last row, if the list is not complete; the errors of the list
 */
export async function* paginate<
  Request extends { query?: { pageAfter?: string | undefined } },
  Body,
  Row extends { id: string },
>(
  list: Listing<Request, Body>,
  request: Request,
  pick: (body: Body) => readonly Row[] | undefined,
  options?: AnyCallOptions,
): AsyncGenerator<Row, void, undefined> {
  const ids = new Set<string>();
  const cursors = new Set<string | undefined>([request.query?.pageAfter]);
  let current = request;
  let skipped = 0;
  for (;;) {
    const { body, next, skippedRows } = await list.response(current, options);
    skipped += skippedRows;
    const rows = pick(body) ?? [];
    for (const row of rows) {
      if (ids.has(row.id)) continue;
      ids.add(row.id);
      yield row;
    }
    const cursor = next === undefined ? rows.at(-1)?.id : next;
    if (cursor === null || cursor === undefined) break;
    if (cursors.has(cursor)) {
      throw new PagingStalledError(
        `Paging does not advance: the cursor after page ${cursors.size} was already used. Start again`,
      );
    }
    cursors.add(cursor);
    current = { ...request, query: { ...request.query, pageAfter: cursor } };
  }
  if (skipped > 0) throw new RowsSkippedError(`${skipped} rows of the list do not match the contract`);
}
