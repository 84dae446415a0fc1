import pino, { type DestinationStream, type Logger } from 'pino';
import { errorFields, stackFrames } from './errorFields';
import { redact } from './redact';

export type { Logger } from 'pino';
export { errorFields, type ErrorFields } from './errorFields';
export { temporalLogger } from './temporalLogger';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  level?: LogLevel;
  /** Standard error by default: standard output belongs to the results of commands. */
  destination?: DestinationStream;
}

const STDERR = 2;
/** Deeper than any object that code logs on purpose. */
const MAX_DEPTH = 6;

/**
 * Writes one JSON object per line: `level` as a word, `time` in ISO 8601, `msg`, and the fields of the call. Of an
 * error, at any depth, it writes name, type, code and stack frames, never the message (`errorFields`). Known secrets
 * are redacted from the finished line (`redact`). Messages are constants; ids go into fields.
 */
export function createLogger({ level = 'info', destination }: LoggerOptions = {}): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutErrorTexts(fields, 0) as Record<string, unknown>,
      },
      hooks: {
        logMethod(args, method) {
          // Without a message from the caller, pino would write the message of the error.
          const [first, message] = args as unknown[];
          const error = first instanceof Error ? first : (first as { err?: unknown } | null)?.err;
          if (error instanceof Error && message === undefined) method.call(this, { err: error }, error.name);
          else method.apply(this, args);
        },
        streamWrite: redact,
      },
    },
    // Synchronous, so that the last lines before a crash are not lost.
    destination ?? pino.destination({ dest: STDERR, sync: true }),
  );
}

function withoutErrorTexts(value: unknown, depth: number): unknown {
  if (value instanceof Error) return { ...errorFields(value), at: stackFrames(value) };
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => withoutErrorTexts(item, depth + 1));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutErrorTexts(item, depth + 1)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
