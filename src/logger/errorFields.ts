/** What a log line may contain of an error: names, types and codes that programs define, and no free text. */
export interface ErrorFields {
  name?: string;
  /** `ApplicationFailure.type`. */
  type?: string;
  /** A code of the API or of Node (`ECONNRESET`). */
  code?: string | number;
  /** The id of the key that a process lacks (`UnknownKeyError`). */
  keyId?: string;
  cause?: ErrorFields;
}

/** Longer text, or text with spaces or other characters, is not an identifier, whatever property holds it. */
const IDENTIFIER = /^[A-Za-z_$][\w$.:-]{0,79}$/;
/** Ids of keys are as short as this, and keys are longer. */
const KEY_ID = /^[\w.-]{1,32}$/;
const MAX_CAUSES = 4;

/**
 * Messages and stacks may contain what a caller passed or the API returned. They therefore stay out of logs
 * (docs/security.md#logs-and-metrics) and are only in the flow's history, encrypted.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (typeof error !== 'object' || error === null) return { name: typeof error };
  const { name, type, code, keyId, cause } = error as Record<string, unknown>;
  return {
    ...(isIdentifier(name) && { name }),
    ...(isIdentifier(type) && { type }),
    ...((typeof code === 'number' || isIdentifier(code)) && { code }),
    ...(typeof keyId === 'string' && KEY_ID.test(keyId) && { keyId }),
    ...(cause !== undefined && cause !== null && depth < MAX_CAUSES && { cause: errorFields(cause, depth + 1) }),
  };
}

/**
 * Where an error was created: the frames of its stack, without the header, which repeats the message. Undefined if
 * header and frames cannot be separated.
 */
export function stackFrames(error: Error): string[] | undefined {
  const { stack, message } = error;
  const header = stack?.indexOf(message) ?? -1;
  if (!stack || header < 0) return undefined;
  const frames = stack.slice(header + message.length).match(/^ {4}at .+$/gm);
  return frames?.map((frame) => frame.trim());
}

function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && IDENTIFIER.test(value);
}
