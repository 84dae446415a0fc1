import type { Newest } from '../page/overview';

/** Maximum number of entries that the page shows in a list. */
const MAX_SHOWN = 50;

export function newest<Row, View>(rows: readonly Row[], view: (row: Row) => View): Newest<View> {
  return { shown: rows.slice(-MAX_SHOWN).reverse().map(view), count: rows.length };
}
