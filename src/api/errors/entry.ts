import type { ErrorKind } from '../../domain/errorKind';

/** What is known of one error code of the API, whatever endpoint answers with it. */
export interface ApiErrorEntry {
  /** `code` of the error body; for an answer without one, its HTTP status (`catalogue/general.ts`). */
  readonly code: number;
  /** PascalCase and unique; the API's own name where it has one. */
  readonly name: string;
  /** HTTP status the API sends with it. */
  readonly status: number;
  /** The reaction, unless the endpoint's contract overrides it. */
  readonly kind: ErrorKind;
  /** What is the case: one sentence, capitalised, without a full stop. */
  readonly condition: string;
  /** What the integrator's operator or developer does about it: an imperative, lower case, without a full stop. */
  readonly remedy: string;
}

/** A catalogue row: the fields of an entry in their order, so that a file of the catalogue reads as a table. */
export type ErrorRow = readonly [
  code: number,
  name: string,
  status: number,
  kind: ErrorKind,
  condition: string,
  remedy: string,
];

/** The entries of a table's rows, in their order. */
export function entriesOf(rows: readonly ErrorRow[]): readonly ApiErrorEntry[] {
  return rows.map(([code, name, status, kind, condition, remedy]) => ({ code, name, status, kind, condition, remedy }));
}
