import type { Difference, Kind, Part } from './compare';

/** Differences that are meant, and why. In patterns `*` stands for any text. */
export interface Known {
  /** Patterns of `GET /v1/w3s/wallets/{id}`. */
  endpoints: readonly string[];
  part: Part;
  kind: Kind;
  /** Patterns of the place; left out for an endpoint as a whole. */
  at?: readonly string[];
  /** Patterns of the values of an enum; without it only fields are meant. */
  values?: readonly string[];
  reason: string;
}

export interface Settled {
  /** Each difference with the reason of the first row that knows it. */
  differences: readonly (Difference & { reason?: string })[];
  /** Patterns that know of no difference any more, with their row's reason. */
  stale: readonly { pattern: string; reason: string }[];
}

export function settle(differences: readonly Difference[], known: readonly Known[]): Settled {
  const rows = known.map((row) => new Row(row));
  return {
    differences: differences.map((difference) => {
      const knowing = rows.filter((row) => row.knows(difference));
      return knowing[0] ? { ...difference, reason: knowing[0].reason } : difference;
    }),
    stale: rows.flatMap((row) => row.stale()),
  };
}

/** Whether everything is known, and everything known is so. */
export function isSettled({ differences, stale }: Settled): boolean {
  return stale.length === 0 && differences.every(({ reason }) => reason !== undefined);
}

class Row {
  readonly #lists: readonly (readonly Pattern[])[];
  readonly reason: string;

  constructor(private readonly known: Known) {
    this.reason = known.reason;
    this.#lists = [known.endpoints, known.at ?? [''], known.values ?? []].map((list) =>
      list.map((text) => new Pattern(text)),
    );
  }

  knows({ endpoint, part, kind, at, value }: Difference): boolean {
    const { known } = this;
    if (part !== known.part || kind !== known.kind || (value === undefined) !== (known.values === undefined))
      return false;
    const given = [endpoint, at, value];
    const fitting = this.#lists.map((list, n) => list.filter((pattern) => pattern.fits(given[n] ?? '')));
    if (fitting.some((list, n) => list.length === 0 && given[n] !== undefined)) return false;
    for (const pattern of fitting.flat()) pattern.used = true;
    return true;
  }

  stale(): { pattern: string; reason: string }[] {
    const unused = this.#lists.flat().filter(({ used }) => !used);
    const { part, kind, reason } = this.known;
    return unused.map(({ text }) => ({ pattern: [part, kind, text].filter(Boolean).join(' '), reason }));
  }
}

class Pattern {
  used = false;
  readonly #expression: RegExp;

  constructor(readonly text: string) {
    const parts = text.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
    this.#expression = new RegExp(`^${parts.join('.*')}$`);
  }

  fits(text: string): boolean {
    return this.#expression.test(text);
  }
}
