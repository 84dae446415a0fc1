import { jsonBytes } from './jsonBytes';

// Reads values that come from outside a workflow: its argument and its messages. Anyone who can write to the namespace
// can send them, and so can an older or a newer version. The schemas of inputs (zod) are too heavy for workflow code.

/**
 * Reads a value of type `T`. A form of an object takes only the fields that it knows, so a newer version may add fields,
 * and a message cannot grow the state of a workflow by fields that nothing reads.
 * @throws FormError if the value has another form
 */
export type Form<T> = (value: unknown, path?: string) => T;

/** A value does not have the expected form. The message names the field, never the value. */
export class FormError extends Error {
  override readonly name = 'FormError';

  constructor(path: string | undefined, expected: string) {
    super(`${path ?? 'argument'}: must be ${expected}`);
  }
}

/** Longer than every id, name and line of text in a message. */
export const MAX_TEXT_LENGTH = 4_096;

/** The value, or what is wrong with it. */
export type FormResult<T> = { value: T; problem?: never } | { value?: never; problem: string };

/** Reads a value without an exception. */
export function readForm<T>(form: Form<T>, value: unknown): FormResult<T> {
  try {
    return { value: form(value) };
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    return { problem: error.message };
  }
}

/** A string that is not empty. */
export const text: Form<string> = (value, path) => {
  const string = anyText(value, path);
  if (string === '') throw new FormError(path, 'a string that is not empty');
  return string;
};

export const anyText: Form<string> = (value, path) => {
  if (typeof value === 'string' && value.length <= MAX_TEXT_LENGTH) return value;
  throw new FormError(path, `a string of at most ${MAX_TEXT_LENGTH} characters`);
};

export const number: Form<number> = (value, path) => {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new FormError(path, 'a number');
};

export const integer: Form<number> = (value, path) => {
  if (Number.isSafeInteger(value)) return value as number;
  throw new FormError(path, 'a whole number');
};

export const flag: Form<boolean> = (value, path) => {
  if (typeof value === 'boolean') return value;
  throw new FormError(path, 'true or false');
};

/** A flag that is set, or missing. */
export const setFlag: Form<true> = (value, path) => {
  if (value === true) return value;
  throw new FormError(path, 'true');
};

/** A time in ISO 8601. */
export const time: Form<string> = (value, path) => {
  const string = anyText(value, path);
  if (!Number.isNaN(Date.parse(string))) return string;
  throw new FormError(path, 'a time in ISO 8601');
};

/** A string that is one of the keys of a table. */
export function keyOf<K extends string>(table: Readonly<Record<K, unknown>>): Form<K> {
  return (value, path) => {
    if (typeof value === 'string' && Object.hasOwn(table, value)) return value as K;
    throw new FormError(path, `one of ${Object.keys(table).join(', ')}`);
  };
}

/** A string that is in a list. */
export function keysOf<K extends string>(names: readonly K[]): Form<K> {
  return keyOf(Object.fromEntries(names.map((name) => [name, true])) as Record<K, true>);
}

/** Any value, as it is: something else checks it. */
export function anyValue<T>(value: unknown): T {
  return value as T;
}

/** Any JSON up to a size in bytes. */
export function json(maxBytes: number): Form<unknown> {
  return (value, path) => {
    if (value === undefined || jsonBytes(value) <= maxBytes) return value;
    throw new FormError(path, `at most ${maxBytes} bytes of JSON`);
  };
}

/** Any object, as it is. */
export function anyObject<T extends object>(value: unknown, path?: string): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T;
  throw new FormError(path, 'an object');
}

/** A field that may be missing, or `null`. */
export function optional<T>(form: Form<T>): Form<T | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : form(value, path));
}

export function listOf<T>(form: Form<T>): Form<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new FormError(path, 'a list');
    return value.map((entry, index) => form(entry, join(path, String(index))));
  };
}

/** A list without the entries that have another form; empty if it is not a list. */
export function readableOf<T>(form: Form<T>): Form<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return [];
    return value.flatMap((entry) => {
      const { value: read, problem } = readForm(form, entry);
      return problem === undefined ? [read as T] : [];
    });
  };
}

/** A value of this form, or the default for a value of any other. */
export function orElse<T>(form: Form<T>, fallback: T): Form<T> {
  return (value) => readForm(form, value).value ?? fallback;
}

/** An object whose fields all have the same form. */
export function recordOf<T>(form: Form<T>): Form<Record<string, T>> {
  return (value, path) => {
    const entries = Object.entries(anyObject(value, path));
    return Object.fromEntries(entries.map(([name, part]) => [name, form(part, join(path, name))]));
  };
}

/** An object with these fields. The compiler checks the table against the type, so a new field needs a row. */
export function objectOf<T extends object>(fields: { [K in keyof Required<T>]: Form<T[K]> }): Form<T> {
  return (value, path) => {
    const source = anyObject<Record<string, unknown>>(value, path);
    const entries = Object.entries<Form<unknown>>(fields)
      .map(([name, form]) => [name, form(source[name], join(path, name))])
      .filter(([, part]) => part !== undefined);
    return Object.fromEntries(entries) as T;
  };
}

/** An object of the variant that one of its fields names. */
export function variantOf<T extends object>(
  name: keyof T & string,
  variants: Readonly<Record<string, Form<T>>>,
): Form<T> {
  const variantName = keyOf(variants);
  return (value, path) => {
    const source = anyObject<Record<string, unknown>>(value, path);
    return variants[variantName(source[name], join(path, name))]!(value, path);
  };
}

function join(path: string | undefined, name: string): string {
  return path === undefined ? name : `${path}.${name}`;
}
