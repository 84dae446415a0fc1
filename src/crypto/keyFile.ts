import { z } from 'zod';
import { parseExactJson } from '../exactJson';

/**
 * Payload metadata, memos and sealed values contain key ids in plaintext. An id must be shorter than any key, so that a
 * key can never be mistaken for an id.
 */
const KEY_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/** A key file cannot be used. The message lists all problems with field and remedy, and never contains file content. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** The common shape of key files: keys by id, and the id of the key for new data. */
export function keyFileSchema<E extends z.ZodType>(entry: E) {
  return z
    .strictObject(
      {
        current: z.string({ error: 'must be the id of a key under "keys"; set it to the id of the latest key' }),
        keys: z.record(z.string().regex(KEY_ID_PATTERN, `must match ${KEY_ID_PATTERN.source}`), entry, {
          error: 'must be an object with the keys by id; write { "<id>": … }',
        }),
      },
      {
        error: (issue) => (issue.code === 'invalid_type' ? 'must be an object; see docs/configuration.md' : undefined),
      },
    )
    .refine((file) => Object.hasOwn(file.keys, file.current), {
      path: ['current'],
      error: 'is not the id of a key under "keys"; set it to the id of the latest key',
    });
}

/** Bytes as base64 or base64url text, exactly as an encoder writes it. A laxer check would hide a damaged key. */
export function encodedBytes(encoding: 'base64' | 'base64url', length: number, remedy: string) {
  const error = `must be ${length} bytes in ${encoding}; ${remedy}`;
  return z.string({ error }).refine(
    (text) => {
      const bytes = Buffer.from(text, encoding);
      return bytes.length === length && bytes.toString(encoding) === text;
    },
    { error },
  );
}

/**
 * Reads a key file.
 * @param source where the content comes from (a path, a variable), for messages
 * @throws KeyFileError
 */
export function parseKeyFile<S extends z.ZodType>(schema: S, text: string, source: string): z.output<S> {
  const json = parseExactJson(text);
  // Of two identity keys, JSON.parse would take the last one.
  if (json === 'doubledName') throw new KeyFileError(`${source}: has a name twice; keep one of the two`);
  if (json === 'malformed') {
    // A parser's own message quotes the content, which is a secret.
    throw new KeyFileError(
      `${source}: is not JSON; restore the file, or create a new one if nothing has been encrypted yet`,
    );
  }
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${fieldName(issue.path)}: ${problem(issue)}`);
  throw new KeyFileError(`${source}: ${problems.join('\n  ')}`);
}

export function newKeyId(now: Date): string {
  return now.toISOString().slice(0, 'YYYY-MM'.length);
}

function problem(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `has unknown fields; remove them: ${issue.keys.map(printableName).join(', ')}`;
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => inner.message).join('; ');
  return issue.message;
}

function fieldName(path: PropertyKey[]): string {
  return path.length === 0 ? 'file' : path.map(printableName).join('.');
}

/** Hides a string that may be a key: ids and keys may be swapped in the file. */
function printableName(name: PropertyKey): string {
  const text = String(name);
  return KEY_ID_PATTERN.test(text) ? text : `(name of ${text.length} characters)`;
}
