import type { ErrorKind } from '../../domain/errorKind';

/** One error code of the API, independent of the endpoint that returns it. */
export interface ApiErrorEntry {
  /** `code` of the error body, or the HTTP status of a response without a code (`catalogue/general.ts`). */
  readonly code: number;
  /** PascalCase and unique; the API's own name if there is one. */
  readonly name: string;
  /** HTTP status that the API sends with the code. */
  readonly status: number;
  /** Decides the reaction, unless the endpoint's contract overrides it. */
  readonly kind: ErrorKind;
  /** What went wrong: one capitalized sentence without a full stop. */
  readonly condition: string;
  /** What an operator or developer of the integrator should do: an imperative in lower case without a full stop. */
  readonly remedy: string;
}

/** One row of the catalogue: the fields of an entry in order, so that a catalogue file reads as a table. */
export type ErrorRow = readonly [
  code: number,
  name: string,
  status: number,
  kind: ErrorKind,
  condition: string,
  remedy: string,
];

/** Turns the rows of a table into entries. */
export function entriesOf(rows: readonly ErrorRow[]): readonly ApiErrorEntry[] {
  return rows.map(([code, name, status, kind, condition, remedy]) => ({ code, name, status, kind, condition, remedy }));
}
