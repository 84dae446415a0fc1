import { findEndpoint, OPERATION_IDS, type OperationId } from '../../src/api/contract';
import { fullPath } from '../../src/api/contract/endpoint';

/** A response that the emulator sent. */
export interface Answer {
  operation: OperationId;
  status: number;
  body: unknown;
}

/** Longer paths of words come first: `/transactions/validateAddress` before `/transactions/{id}`. */
const ROUTES = OPERATION_IDS.flatMap((operation) => {
  const { method, path, aliases = [] } = findEndpoint(operation);
  return [fullPath(path), ...aliases].map((route) => ({ operation, method, route, pattern: patternOf(route) }));
}).toSorted((a, b) => a.route.split('{').length - b.route.split('{').length);

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** Records the responses of the API to everything that `story` fetches. */
export async function recordAnswers(story: () => Promise<void>): Promise<Answer[]> {
  const answers: Answer[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (...args) => {
    const response = await fetch(...args);
    const { pathname } = new URL(response.url);
    const method = args[1]?.method ?? 'GET';
    const route = ROUTES.find((known) => known.method === method && known.pattern.test(pathname));
    const text = await response.clone().text();
    if (route) {
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      answers.push({ operation: route.operation, status: response.status, body });
    }
    return response;
  };
  try {
    await story();
  } finally {
    globalThis.fetch = fetch;
  }
  return answers;
}

/** Fields whose value says what kind of thing a row is. An answer of another kind is not compared. */
const KINDS: ReadonlySet<string> = new Set([
  'type',
  'state',
  'transactionType',
  'operation',
  'status',
  'result',
  'code',
  'scope',
]);

/**
 * What an answer lacks of a sample: fields that the sample has, nulls in other places, other kinds of JSON. Each row of a
 * list is looked for among all rows of the answer.
 * @param unsent names of fields that are not compared
 */
export function missingFrom(sample: unknown, answer: unknown, unsent: readonly string[] = [], at = ''): string[] {
  if (kindOf(sample) !== kindOf(answer)) return [`${at} is ${kindOf(answer)}, not ${kindOf(sample)}`];
  if (Array.isArray(sample) && Array.isArray(answer)) {
    return sample.flatMap((row, index) => {
      const tries = answer.map((other) => missingFrom(row, other, unsent, `${at}[${index}]`));
      return tries.toSorted((a, b) => a.length - b.length)[0] ?? [`${at} has no rows`];
    });
  }
  if (typeof sample !== 'object' || sample === null) return [];
  return Object.entries(sample).flatMap(([name, value]) => {
    if (unsent.includes(name)) return [];
    const other = (answer as Record<string, unknown>)[name];
    if (KINDS.has(name) && other !== value) return [`${at}.${name} is ${String(other)}, not ${String(value)}`];
    return missingFrom(value, other, unsent, `${at}.${name}`);
  });
}

/** Text and numbers are one kind: sources show many values in both forms. */
function kindOf(json: unknown): string {
  if (json === undefined) return 'missing';
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'a list';
  return typeof json === 'object' ? 'an object' : 'a value';
}
