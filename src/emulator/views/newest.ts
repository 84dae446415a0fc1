import type { Newest } from '../page/overview';

/** The page shows so many of a kind. */
const MOST = 50;

export function newest<Row, View>(rows: readonly Row[], view: (row: Row) => View): Newest<View> {
  return { shown: rows.slice(-MOST).reverse().map(view), count: rows.length };
}
