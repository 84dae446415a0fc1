import type { AnyCallOptions } from './caller';
import type { Page } from './client';

/** A list of the API: its `page` form. */
interface Listing<Request, Body> {
  page(request?: Request, options?: AnyCallOptions): Promise<Page<Body>>;
}

/** Pages that follow each other without getting anywhere. */
export class PagingStuck extends Error {
  override readonly name = 'PagingStuck';
}

/**
 * Walks a list to its end, a request a page: `paginate(api.listTransactions, request, (body) => body.data.transactions)`.
 *
 * Each id comes once, though rows that move between pages come twice. The cursor has to advance: a repeated one ends in an
 * error, not in a loop (field case CL-11). It is taken from the `Link` header, of which only the cursor is used, never the
 * URL; without that header the last id is the cursor, and an empty page is the end.
 * @param pick the rows of a page; where they have no `id`, it gives them one: `tokenBalances?.map((row) => ({ ...row, id:
 *   row.token.id }))`
 * @throws PagingStuck, and what the list throws
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
      throw new PagingStuck(
        `Paging does not advance: the cursor after page ${cursors.size} was used before. Start again`,
      );
    }
    cursors.add(cursor);
    current = { ...request, query: { ...request.query, pageAfter: cursor } };
  }
}
