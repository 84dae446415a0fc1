import type { Difference, DifferenceKind, OperationPart } from './compare';

/** Intended differences and their reason. In patterns, `*` matches any string. */
export interface KnownDifference {
  /** Patterns for strings such as `GET /v1/w3s/wallets/{id}`. */
  endpoints: readonly string[];
  part: OperationPart;
  kind: DifferenceKind;
  /** Patterns for `Difference.at`. Omit them for an endpoint as a whole. */
  at?: readonly string[];
  /** Patterns for the values of an enum. Without them, only fields match. */
  values?: readonly string[];
  reason: string;
}

export interface CheckResult {
  /** Each difference, with the reason of the first known difference that matches it. */
  differences: readonly (Difference & { reason?: string })[];
  /** Patterns that no longer match any difference, with the reason of their known difference. */
  stale: readonly { pattern: string; reason: string }[];
}

export function applyKnown(differences: readonly Difference[], known: readonly KnownDifference[]): CheckResult {
  const rows = known.map((row) => new KnownDifferenceMatcher(row));
  return {
    differences: differences.map((difference) => {
      const matching = rows.filter((row) => row.matches(difference));
      return matching[0] ? { ...difference, reason: matching[0].reason } : difference;
    }),
    stale: rows.flatMap((row) => row.stale()),
  };
}

/** Whether every difference is known and no pattern is stale. */
export function isClean({ differences, stale }: CheckResult): boolean {
  return stale.length === 0 && differences.every(({ reason }) => reason !== undefined);
}

class KnownDifferenceMatcher {
  readonly #lists: readonly (readonly Pattern[])[];
  readonly reason: string;

  constructor(private readonly known: KnownDifference) {
    this.reason = known.reason;
    this.#lists = [known.endpoints, known.at ?? [''], known.values ?? []].map((list) =>
      list.map((text) => new Pattern(text)),
    );
  }

  matches({ endpoint, part, kind, at, value }: Difference): boolean {
    const { known } = this;
    if (part !== known.part || kind !== known.kind || (value === undefined) !== (known.values === undefined))
      return false;
    const texts = [endpoint, at, value];
    const matching = this.#lists.map((list, n) => list.filter((pattern) => pattern.matches(texts[n] ?? '')));
    if (matching.some((list, n) => list.length === 0 && texts[n] !== undefined)) return false;
    for (const pattern of matching.flat()) pattern.used = true;
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

  matches(text: string): boolean {
    return this.#expression.test(text);
  }
}
