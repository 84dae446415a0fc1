import { Refusal } from './refusal';

/** Query fields that every list takes (api-facts 2). */
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
   * Oldest first: all rows of the kind that the caller may name, as a cursor may point to one that the filters leave out.
   * Another user's rows are not among them: a cursor must not tell that one exists.
   */
  rows: readonly R[];
  /** The UUID that a cursor names a row by. */
  idOf: (row: R) => string;
  /** Creation date, for `from` and `to` (inclusive); absent where a list has no window. */
  dateOf?: (row: R) => string;
  /** The list's own filters. */
  keep?: (row: R) => boolean;
  /** When the caller says nothing. */
  order?: 'ASC' | 'DESC';
}

export interface Page<R> {
  rows: R[];
  headers: Record<string, string>;
}

const DEFAULT_SIZE = 10;
const LARGEST_SIZE = 50;

/**
 * One page of a list, with the `Link` header to its neighbours. Cursors are exclusive, so rows that come in between two
 * pages repeat nothing (field case CL-11).
 * @throws Refusal 2 when both cursors are given, 156012 when a cursor is no row of this list's kind, or out of the caller's reach
 */
export function page<R>(call: { query: ListQuery; url: string }, listing: Listing<R>): Page<R> {
  const { query } = call;
  const { idOf, dateOf, keep = () => true } = listing;
  if (query.pageBefore !== undefined && query.pageAfter !== undefined) {
    throw new Refusal(2, { message: 'Only one of pageBefore and pageAfter can be given' });
  }
  const ordered = (query.order ?? listing.order ?? 'DESC') === 'ASC' ? listing.rows : listing.rows.toReversed();
  const cursor = query.pageAfter ?? query.pageBefore;
  const at = cursor === undefined ? -1 : ordered.findIndex((row) => idOf(row) === cursor);
  if (cursor !== undefined && at < 0) throw new Refusal(156012);

  const from = query.from === undefined ? -Infinity : Date.parse(query.from);
  const to = query.to === undefined ? Infinity : Date.parse(query.to);
  const isInWindow = (row: R) => {
    if (!dateOf || (from === -Infinity && to === Infinity)) return true;
    const time = Date.parse(dateOf(row));
    return from <= time && time <= to;
  };
  const kept = [...ordered.entries()].filter(([, row]) => keep(row) && isInWindow(row));
  const size = Math.min(query.pageSize ?? DEFAULT_SIZE, LARGEST_SIZE);
  const behind = (position: number) => kept.filter(([index]) => index < position).length;

  const end = query.pageBefore === undefined ? behind(at + 1) + size : behind(at);
  const start = Math.max(0, end - size);
  const rows = kept.slice(start, end).map(([, row]) => row);
  const [first, last] = [rows[0], rows.at(-1)];
  const links = [
    link(call, 'self', {}),
    link(call, 'first', { pageBefore: undefined, pageAfter: undefined }),
    ...(last !== undefined && end < kept.length
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
