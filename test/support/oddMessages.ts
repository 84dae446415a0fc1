/** A message that a workflow takes. */
export interface Sample {
  /** A genuine message with every field. */
  genuine: unknown;
  /** Paths of fields that may be missing, such as `operation.renewUntil`; those of a list's entries contain `*`. */
  optional?: readonly string[];
  /** A genuine message would change what the test needs. */
  oddOnly?: true;
  /** Paths of fields that hold any JSON. */
  any?: readonly string[];
}

/** The arguments of a message, and what is odd about them. */
export type OddMessage = [oddity: string, args: unknown[]];

/** Larger than a workflow may keep. Each such message stays in the history. */
const HUGE = 'x'.repeat(300_000);

/** Values of every type of JSON. */
const VALUES: readonly unknown[] = [null, true, 7, 'text', '', [], [null], {}];

/** Messages that no workflow can take: nothing, null, wrong types of the whole and of each field, and huge ones. */
export function oddMessages({ genuine, optional = [], any = [] }: Sample): OddMessage[] {
  const whole: OddMessage[] = [
    ['nothing', []],
    ...VALUES.filter((value) => !sameType(value, genuine)).map((value): OddMessage => [typeName(value), [value]]),
    ['a huge object', [{ huge: HUGE }]],
    ['an empty object', [{}]],
  ];
  const fields = paths(genuine).filter((path) => !any.includes(general(path)) && path !== '');
  return [
    ...whole,
    ...fields
      .filter((path) => !optional.includes(general(path)) && !/\.?\d+$/.test(path))
      .map((path): OddMessage => [`no ${path}`, [changed(genuine, path, undefined)]]),
    ...fields.flatMap((path) =>
      VALUES.filter(
        (value) => !sameType(value, at(genuine, path)) && !(value === null && optional.includes(general(path))),
      ).map((value): OddMessage => [`${path}: ${typeName(value)}`, [changed(genuine, path, value)]]),
    ),
    // One is enough: each stays in the history.
    ...fields
      .filter((path) => typeof at(genuine, path) === 'string')
      .slice(0, 1)
      .map((path): OddMessage => [`${path}: a huge string`, [changed(genuine, path, HUGE.slice(0, 20_000))]]),
  ];
}

/** Genuine messages as other versions send them: without a field that is new, and with fields that this version does not know. */
export function otherVersions({ genuine, optional = [], any = [], oddOnly }: Sample): unknown[] {
  if (oddOnly) return [];
  const older = optional.reduce(
    (message, path) =>
      paths(message)
        .filter((each) => general(each) === path)
        .reduceRight((rest, each) => changed(rest, each, undefined), message),
    genuine,
  );
  const objects = ['', ...paths(genuine)].filter((path) => {
    const value = at(genuine, path);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !any.includes(general(path));
  });
  const newer = objects.reduce(
    (message, path) => changed(message, path ? `${path}.addedLater` : 'addedLater', [{ a: 1 }]),
    genuine,
  );
  return Array.isArray(genuine) ? [older] : [older, newer];
}

function paths(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || '$sealed' in value) return path === '' ? [] : [path];
  const parts = Object.entries(value).flatMap(([name, part]) => paths(part, path === '' ? name : `${path}.${name}`));
  return path === '' ? parts : [path, ...parts];
}

const general = (path: string) => path.replace(/(^|\.)\d+/g, '$1*');

function at(value: unknown, path: string): unknown {
  return path === '' ? value : path.split('.').reduce((part, name) => (part as Record<string, unknown>)[name], value);
}

function changed(value: unknown, path: string, replacement: unknown): unknown {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = rest.length === 0 ? replacement : changed(copy[name], rest.join('.'), replacement);
  return copy;
}

function sameType(value: unknown, genuine: unknown): boolean {
  return typeName(value) === typeName(genuine);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : value === '' ? 'an empty string' : `a value of type ${typeof value}`;
}
