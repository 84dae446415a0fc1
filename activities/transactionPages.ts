import type { ApiResponse, ResponseOf } from '../src/api';

/** A page of `GET /transactions`. */
export type TransactionPage = ApiResponse<ResponseOf<'listTransactions'>>;

/** The largest page that the API gives. */
export const PAGE_SIZE = 50;
/** Without `includeAll`, transactions of tokens that are not monitored would be missing. */
export const OUTBOUND = { txType: 'OUTBOUND', includeAll: true } as const;

/** Cursor of the next page; undefined on the last page. Without a `Link` header, a full page has a next one. */
export function pageAfterOf({ body, next, skippedRows }: TransactionPage): string | undefined {
  const { transactions = [] } = body.data;
  const isFull = transactions.length + skippedRows === PAGE_SIZE;
  return next === undefined && isFull ? transactions.at(-1)?.id : (next ?? undefined);
}
