/** Rows of one kind in the order of creation, which is the order that lists page through. */
export class Table<R extends { readonly id: string }> {
  readonly #rows: R[] = [];
  readonly #byId = new Map<string, R>();

  constructor(rows: Iterable<R> = []) {
    for (const row of rows) this.add(row);
  }

  add(row: R): R {
    this.#rows.push(row);
    this.#byId.set(row.id, row);
    return row;
  }

  get(id: string): R | undefined {
    return this.#byId.get(id);
  }

  remove(id: string): void {
    const at = this.#rows.findIndex((row) => row.id === id);
    if (at >= 0) this.#rows.splice(at, 1);
    this.#byId.delete(id);
  }

  /** Oldest first. */
  all(): readonly R[] {
    return this.#rows;
  }
}
