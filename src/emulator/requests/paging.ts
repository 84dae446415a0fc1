import { ApiErrorResponse } from '../errors/apiErrorResponse';

/** Query fields that every list accepts: docs/api-behavior.md#envelopes-errors-and-paging */
export interface ListQuery {
  pageBefore?: string | undefined;
  pageAfter?: string | undefined;
  pageSize?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  order?: 'ASC' | 'DESC' | undefined;
}

export interface Listing<R> {
  /**
   * Oldest first: all rows that the caller may see, including those that the filters leave out, because a cursor may name
   * one. Rows of other users are excluded: a cursor must not reveal that they exist.
   */
  rows: readonly R[];
  /** The UUID by which a cursor names a row. */
  idOf: (row: R) => string;
  /** Creation date, for `from` and `to` (inclusive). Absent for a list without a time window. */
  dateOf?: (row: R) => string;
  /** The list's own filters. */
  filter?: (row: R) => boolean;
  /** Default order. */
  order?: 'ASC' | 'DESC';
}

export interface Page<R> {
  rows: R[];
  headers: Record<string, string>;
}

const DEFAULT_PAGE_SIZE = 10;
const MAX_PAGE_SIZE = 50;

/**
 * One page of a list, with the `Link` header to the neighbouring pages. Cursors name rows, so rows that are added between
 * two requests do not shift the pages.
 * @throws ApiErrorResponse 2 for both cursors, 156012 for a cursor that is not a row of this list or not visible to the caller
 */
export function page<R>(call: { query: ListQuery; url: string }, listing: Listing<R>): Page<R> {
  const { query } = call;
  const { idOf, dateOf, filter = () => true } = listing;
  if (query.pageBefore !== undefined && query.pageAfter !== undefined) {
    throw new ApiErrorResponse(2, { message: 'pageBefore and pageAfter are mutually exclusive' });
  }
  const ordered = (query.order ?? listing.order ?? 'DESC') === 'ASC' ? listing.rows : listing.rows.toReversed();
  const cursor = query.pageAfter ?? query.pageBefore;
  const at = cursor === undefined ? -1 : ordered.findIndex((row) => idOf(row) === cursor);
  if (cursor !== undefined && at < 0) throw new ApiErrorResponse(156012);

  const from = query.from === undefined ? -Infinity : Date.parse(query.from);
  const to = query.to === undefined ? Infinity : Date.parse(query.to);
  const isInWindow = (row: R) => {
    if (!dateOf || (from === -Infinity && to === Infinity)) return true;
    const time = Date.parse(dateOf(row));
    return from <= time && time <= to;
  };
  const matching = [...ordered.entries()].filter(([, row]) => filter(row) && isInWindow(row));
  const size = Math.min(query.pageSize ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const countBefore = (position: number) => matching.filter(([index]) => index < position).length;

  const end = query.pageBefore === undefined ? countBefore(at + 1) + size : countBefore(at);
  const start = Math.max(0, end - size);
  const rows = matching.slice(start, end).map(([, row]) => row);
  const [first, last] = [rows[0], rows.at(-1)];
  const links = [
    link(call, 'self', {}),
    link(call, 'first', { pageBefore: undefined, pageAfter: undefined }),
    ...(last !== undefined && end < matching.length
      ? [link(call, 'next', { pageBefore: undefined, pageAfter: idOf(last) })]
      : []),
    ...(first !== undefined && start > 0
      ? [link(call, 'prev', { pageBefore: idOf(first), pageAfter: undefined })]
      : []),
  ];
  return { rows, headers: { Link: links.join(', ') } };
}

function link({ query, url }: { query: ListQuery; url: string }, rel: string, cursors: ListQuery): string {
  const fields = Object.entries({ ...query, ...cursors }).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return `<${url}${search && `?${search}`}>; rel="${rel}"`;
}
