import { type Operation, titleOf } from './operation';
import type { Shape } from './shape';

/**
 * - `missing`   only the documents have it
 * - `extra`     only the contract has it
 * - `required`  both have it, but only the contract requires it
 * - `optional`  both have it, but only the documents require it
 * - `open`      only the documents list its possible values
 * - `closed`    only the contract lists its possible values
 * - `type`      both have it, without a common JSON type
 */
export type DifferenceKind = 'missing' | 'extra' | 'required' | 'optional' | 'open' | 'closed' | 'type';
export type OperationPart = 'endpoint' | 'path' | 'query' | 'body' | 'response';

/** One difference between the contract and the documents. */
export interface Difference {
  /** `GET /v1/w3s/wallets/{id}`, with the contract's path if the contract has the endpoint. */
  endpoint: string;
  part: OperationPart;
  kind: DifferenceKind;
  /** `data.wallets[].id`; `{name}` in the path, empty for the endpoint as a whole. */
  at: string;
  /** The missing or extra value of an enum. */
  value?: string;
}

/** All differences, by endpoint in the contract's order. Endpoints that only the documents have come last. */
export function compare(contract: readonly Operation[], published: readonly Operation[]): Difference[] {
  const differences: Difference[] = [];
  const matched = new Set<Operation>();
  for (const ours of contract) {
    const theirs = published.find((one) => samePath(one, ours));
    if (theirs) matched.add(theirs);
    differences.push(...(theirs ? compareOne(ours, theirs) : [endpointDifference(ours, 'extra')]));
  }
  return [
    ...differences,
    ...published.filter((one) => !matched.has(one)).map((one) => endpointDifference(one, 'missing')),
  ];
}

const segments = ({ method, path }: Operation) => [method, ...path.split('/')];
const isParameter = (segment: string | undefined) => segment?.startsWith('{') === true;

/** Literal path segments in the documents, keyed by the parameter that the contract has in their place. */
const LITERAL_SEGMENTS: Readonly<Record<string, string>> = { '{token}': 'USDC' };

/** Whether the paths are equal, ignoring the names of parameters. */
function samePath(published: Operation, contract: Operation): boolean {
  const [a, b] = [segments(published), segments(contract)];
  return (
    a.length === b.length &&
    a.every((part, n) => part === b[n] || part === LITERAL_SEGMENTS[b[n]!] || (isParameter(part) && isParameter(b[n])))
  );
}

/** The values of an enum that the other enum does not have. */
function valuesMissingIn(values: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...values].filter((value) => !other.has(value));
}

function overlap(types: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...types].some((type) => other.has(type));
}

function endpointDifference(operation: Operation, kind: DifferenceKind): Difference {
  return { endpoint: titleOf(operation), part: 'endpoint', kind, at: '' };
}

function compareOne(ours: Operation, theirs: Operation): Difference[] {
  const found: Difference[] = [];
  const endpoint = titleOf(ours);
  const add = (part: OperationPart, kind: DifferenceKind, at: string, value?: string) => {
    found.push({ endpoint, part, kind, at, ...(value !== undefined && { value }) });
  };

  function compareShapes(part: OperationPart, at: string, mine: Shape, other: Shape): void {
    if (mine.values && other.values) {
      for (const value of valuesMissingIn(mine.values, other.values)) add(part, 'extra', at, value);
      for (const value of valuesMissingIn(other.values, mine.values)) add(part, 'missing', at, value);
    } else if (mine.values ?? other.values) {
      add(part, mine.values ? 'closed' : 'open', at);
    }
    // All values in a URL are text.
    const typed = part === 'body' || part === 'response';
    if (typed && mine.types.size && other.types.size && !overlap(mine.types, other.types)) add(part, 'type', at);
    if (mine.items && other.items) compareShapes(part, `${at}[]`, mine.items, other.items);
    for (const [name, field] of mine.fields) {
      const path = at === '' ? name : `${at}.${name}`;
      const otherField = other.fields.get(name);
      if (!otherField) {
        add(part, 'extra', path);
        continue;
      }
      if (field.required !== otherField.required) add(part, field.required ? 'required' : 'optional', path);
      compareShapes(part, path, field.shape, otherField.shape);
    }
    for (const name of other.fields.keys()) {
      if (!mine.fields.has(name)) add(part, 'missing', at === '' ? name : `${at}.${name}`);
    }
  }

  // Skip paths in which the documents have a literal segment instead of a parameter.
  if (ours.params.length === theirs.params.length) {
    ours.params.forEach(({ name, shape }, n) => compareShapes('path', `{${name}}`, shape, theirs.params[n]!.shape));
  }
  compareShapes('query', '', ours.query, theirs.query);
  compareShapes('body', '', ours.body, theirs.body);
  compareShapes('response', '', ours.response, theirs.response);
  return found;
}
