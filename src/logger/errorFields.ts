/** What a log line may say of an error: names, types and codes that are part of programs, and no text of its own. */
export interface ErrorFields {
  name?: string;
  /** `ApplicationFailure.type`. */
  type?: string;
  /** Code of the API or of Node (`ECONNRESET`). */
  code?: string | number;
  cause?: ErrorFields;
}

/** Texts with a blank, a sign or a length of their own are no identifiers, whatever property holds them. */
const IDENTIFIER = /^[A-Za-z_$][\w$.:-]{0,79}$/;
const MAX_CAUSES = 4;

/**
 * Messages and stacks may hold what a caller passed or the API answered, so they stay out of logs (DESIGN rule 10); they
 * are in the flow's history, encrypted.
 */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (typeof error !== 'object' || error === null) return { name: typeof error };
  const { name, type, code, cause } = error as Record<string, unknown>;
  return {
    ...(isIdentifier(name) && { name }),
    ...(isIdentifier(type) && { type }),
    ...((typeof code === 'number' || isIdentifier(code)) && { code }),
    ...(cause !== undefined && cause !== null && depth < MAX_CAUSES && { cause: errorFields(cause, depth + 1) }),
  };
}

/**
 * Where an error was made: the frames of its stack, without the header that repeats the message. Undefined when the
 * header can't be told from the frames.
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
