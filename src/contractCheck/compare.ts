import { type Operation, titleOf } from './operation';
import type { Shape } from './shape';

/**
 * - `missing`   the documents have it, the contract has not
 * - `extra`     the contract has it, the documents have not
 * - `required`  both have it, only the contract requires it
 * - `optional`  both have it, only the documents require it
 * - `open`      only the documents list the values that it can have
 * - `closed`    only the contract lists them
 * - `type`      both have it, with no JSON type in common
 */
export type Kind = 'missing' | 'extra' | 'required' | 'optional' | 'open' | 'closed' | 'type';
export type Part = 'endpoint' | 'path' | 'query' | 'body' | 'answer';

/** One thing in which contract and documents differ. */
export interface Difference {
  /** `GET /v1/w3s/wallets/{id}`, in the contract's spelling where it has the endpoint. */
  endpoint: string;
  part: Part;
  kind: Kind;
  /** `data.wallets[].id`; `{name}` in the path, empty for the endpoint as a whole. */
  at: string;
  /** The value of an enum that is missing or extra. */
  value?: string;
}

/** All differences, by endpoint in the contract's order, those of the documents alone last. */
export function compare(contract: readonly Operation[], published: readonly Operation[]): Difference[] {
  const differences: Difference[] = [];
  const matched = new Set<Operation>();
  for (const ours of contract) {
    const theirs = published.find((one) => fits(one, ours));
    if (theirs) matched.add(theirs);
    differences.push(...(theirs ? compareOne(ours, theirs) : [whole(ours, 'extra')]));
  }
  return [...differences, ...published.filter((one) => !matched.has(one)).map((one) => whole(one, 'missing'))];
}

const segments = ({ method, path }: Operation) => [method, ...path.split('/')];
const isParameter = (segment: string | undefined) => segment?.startsWith('{') === true;

/** What documents write out where the contract has a parameter. */
const WRITTEN_OUT: Readonly<Record<string, string>> = { '{token}': 'USDC' };

/** The same path, whatever its parameters are called. */
function fits(published: Operation, contract: Operation): boolean {
  const [a, b] = [segments(published), segments(contract)];
  return (
    a.length === b.length &&
    a.every((part, n) => part === b[n] || part === WRITTEN_OUT[b[n]!] || (isParameter(part) && isParameter(b[n])))
  );
}

/** Of an enum's values those that the other does not have. */
function without(values: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...values].filter((value) => !other.has(value));
}

function meet(types: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...types].some((type) => other.has(type));
}

function whole(operation: Operation, kind: Kind): Difference {
  return { endpoint: titleOf(operation), part: 'endpoint', kind, at: '' };
}

function compareOne(ours: Operation, theirs: Operation): Difference[] {
  const found: Difference[] = [];
  const endpoint = titleOf(ours);
  const note = (part: Part, kind: Kind, at: string, value?: string) => {
    found.push({ endpoint, part, kind, at, ...(value !== undefined && { value }) });
  };

  function shapes(part: Part, at: string, mine: Shape, other: Shape): void {
    if (mine.values && other.values) {
      for (const value of without(mine.values, other.values)) note(part, 'extra', at, value);
      for (const value of without(other.values, mine.values)) note(part, 'missing', at, value);
    } else if (mine.values ?? other.values) {
      note(part, mine.values ? 'closed' : 'open', at);
    }
    // In a URL all is text.
    const typed = part === 'body' || part === 'answer';
    if (typed && mine.types.size && other.types.size && !meet(mine.types, other.types)) note(part, 'type', at);
    if (mine.items && other.items) shapes(part, `${at}[]`, mine.items, other.items);
    for (const [name, field] of mine.fields) {
      const path = at === '' ? name : `${at}.${name}`;
      const otherField = other.fields.get(name);
      if (!otherField) {
        note(part, 'extra', path);
        continue;
      }
      if (field.required !== otherField.required) note(part, field.required ? 'required' : 'optional', path);
      shapes(part, path, field.shape, otherField.shape);
    }
    for (const name of other.fields.keys()) {
      if (!mine.fields.has(name)) note(part, 'missing', at === '' ? name : `${at}.${name}`);
    }
  }

  // Not where one is written out.
  if (ours.params.length === theirs.params.length) {
    ours.params.forEach(({ name, shape }, n) => shapes('path', `{${name}}`, shape, theirs.params[n]!.shape));
  }
  shapes('query', '', ours.query, theirs.query);
  shapes('body', '', ours.body, theirs.body);
  shapes('answer', '', ours.answer, theirs.answer);
  return found;
}
