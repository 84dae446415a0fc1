import { z } from 'zod';

/** Key ids stand in payload metadata, memos and sealed values. Shorter than any key, so that a key is never one. */
const KEY_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/** A key file can't be used. The message lists every problem with its field and remedy, and never holds file content. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** The shape that key files share: keys by id, and the id of the one that new data uses. */
export function keyFileSchema<E extends z.ZodType>(entry: E) {
  return z
    .strictObject({
      current: z.string(),
      keys: z.record(z.string().regex(KEY_ID_PATTERN, `must match ${KEY_ID_PATTERN.source}`), entry),
    })
    .refine((file) => Object.hasOwn(file.keys, file.current), {
      path: ['current'],
      error: 'names no key under "keys"; set it to the id of the newest one',
    });
}

/** Bytes in base64 or base64url text, exactly as an encoder writes it: anything laxer would hide a damaged key. */
export function encodedBytes(encoding: 'base64' | 'base64url', length: number, remedy: string) {
  return z.string().refine(
    (text) => {
      const bytes = Buffer.from(text, encoding);
      return bytes.length === length && bytes.toString(encoding) === text;
    },
    { error: `must be ${length} bytes in ${encoding}; ${remedy}` },
  );
}

/**
 * Reads a key file.
 * @param source where the text came from (a path, a variable), for messages
 * @throws KeyFileError
 */
export function parseKeyFile<S extends z.ZodType>(schema: S, text: string, source: string): z.output<S> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which is a secret.
    throw new KeyFileError(`${source}: is not JSON; restore the file, or make a new one if nothing was encrypted yet`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${fieldName(issue.path)}: ${problem(issue)}`);
  throw new KeyFileError(`${source}: ${problems.join('\n  ')}`);
}

export function newKeyId(now: Date): string {
  return now.toISOString().slice(0, 'YYYY-MM'.length);
}

function problem(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `has unknown fields, remove them: ${issue.keys.map(shown).join(', ')}`;
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => inner.message).join('; ');
  return issue.message;
}

function fieldName(path: PropertyKey[]): string {
  return path.length === 0 ? 'file' : path.map(shown).join('.');
}

/** Someone who swaps ids and keys would otherwise read the key in the error. */
function shown(name: PropertyKey): string {
  const text = String(name);
  return KEY_ID_PATTERN.test(text) ? text : `(name of ${text.length} characters)`;
}
