import type { AnyCallOptions } from './caller';
import type { Page } from './client';

/** A list endpoint of the API, in its `page` form. */
interface Listing<Request, Body> {
  page(request?: Request, options?: AnyCallOptions): Promise<Page<Body>>;
}

/** A list whose cursor does not advance. */
export class PagingStalledError extends Error {
  override readonly name = 'PagingStalledError';
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
 * @throws PagingStalledError, and the errors of the list
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
  for (;;) {
    const { body, next } = await list.page(current, options);
    const rows = pick(body) ?? [];
    for (const row of rows) {
      if (ids.has(row.id)) continue;
      ids.add(row.id);
      yield row;
    }
    const cursor = next === undefined ? rows.at(-1)?.id : next;
    if (cursor === null || cursor === undefined) return;
    if (cursors.has(cursor)) {
      throw new PagingStalledError(
        `Paging does not advance: the cursor after page ${cursors.size} was already used. Start again`,
      );
    }
    cursors.add(cursor);
    current = { ...request, query: { ...request.query, pageAfter: cursor } };
  }
}
