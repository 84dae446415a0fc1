import type { LogMetadata, Logger as TemporalLogger, LogLevel as TemporalLogLevel } from '@temporalio/common';
import type { Logger } from 'pino';
import { errorFields } from './errorFields';
import { constantPart, firstWords } from './sdkMessages';

/** Fields of the SDK's log lines that are kept: ids, types, numbers. */
const KEPT_FIELDS = new Set([
  'activityId',
  'activityRunId',
  'activityType',
  'attempt',
  'durationMs',
  'isLocal',
  'namespace',
  'runId',
  'sdkComponent',
  'state',
  'target',
  'taskQueue',
  'workflowId',
  'workflowRunId',
  'workflowType',
]);

/** Messages that every Worker for one bucket logs (docs/architecture.md#a-slot-is-a-permit). Level debug is enough. */
const EXPECTED_MESSAGES = new Set([
  'No Nexus services registered, not polling for Nexus tasks',
  'No workflows registered, not polling for workflow tasks',
  'Worker state changed',
]);

/** The part of the core's error messages that is safe to keep and that operators need most. */
const GRPC_CODE =
  /\bcode: (Cancelled|Unknown|InvalidArgument|DeadlineExceeded|NotFound|AlreadyExists|PermissionDenied|ResourceExhausted|FailedPrecondition|Aborted|OutOfRange|Unimplemented|Internal|Unavailable|DataLoss|Unauthenticated)\b/;

/** The core's words for a refused poll, at level debug; and at level warn if a poll was refused for a minute. */
const FAILED_POLL = /^(Got error from server while polling|Task polling has encountered errors continuously)/;
const REFUSED = /\bcode: ResourceExhausted\b/;

const WITHHELD = 'message withheld';

/**
 * A logger for `Runtime.install`, over one of `createLogger`.
 *
 * Log lines of the SDK contain error messages and stacks in plaintext, even with a codec. Only the constant part of
 * the message, ids and types are kept, and name and type of errors (docs/security.md#logs-and-metrics). Lines that
 * workflows and activities log themselves (`sdkComponent` `workflow`, `activity`) are our own and pass like any other
 * line.
 *
 * @param onRefusedPoll called for each poll that the server refused, instead of the line. The core reports it only in its
 *   log, at level debug.
 */
export function temporalLogger(logger: Logger, onRefusedPoll?: () => void): TemporalLogger {
  function log(level: TemporalLogLevel, message: string, meta: LogMetadata = {}): void {
    if (onRefusedPoll && isRefusedPoll(message, meta)) return onRefusedPoll();
    const pinoLevel = EXPECTED_MESSAGES.has(message) ? 'debug' : (level.toLowerCase() as Lowercase<TemporalLogLevel>);
    if (!logger.isLevelEnabled(pinoLevel) || isAbandonedPermitWait(message, meta)) return;
    const component: unknown = meta.sdkComponent;
    if (component === 'workflow' || component === 'activity') {
      logger[pinoLevel](meta, constantPart(message) ?? message);
    } else {
      const constant = component === 'core' ? firstWords(message) : constantPart(message);
      logger[pinoLevel](keptFields(meta), constant ?? WITHHELD);
    }
  }
  return {
    log,
    trace: (message, meta) => log('TRACE', message, meta),
    debug: (message, meta) => log('DEBUG', message, meta),
    info: (message, meta) => log('INFO', message, meta),
    warn: (message, meta) => log('WARN', message, meta),
    error: (message, meta) => log('ERROR', message, meta),
  };
}

/** A worker that shuts down aborts the polls that still wait for a permit. That is normal, not an error. */
function isAbandonedPermitWait(message: string, { error }: LogMetadata): boolean {
  return message.startsWith('Error in custom slot supplier') && (error as Error | undefined)?.name === 'AbortError';
}

function isRefusedPoll(message: string, { error }: LogMetadata): boolean {
  return FAILED_POLL.test(message) && REFUSED.test(typeof error === 'string' ? error : message);
}

function keptFields(meta: LogMetadata): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(meta)) {
    if (KEPT_FIELDS.has(name) && ['string', 'number', 'boolean'].includes(typeof value)) fields[name] = value;
  }
  const error: unknown = meta instanceof Error ? meta : (meta.error ?? meta.err);
  // The core logs its errors as text.
  const grpcCode = typeof error === 'string' ? GRPC_CODE.exec(error)?.[1] : undefined;
  if (grpcCode) fields.grpcCode = grpcCode;
  else if (typeof error === 'object' && error !== null) fields.error = errorFields(error);
  return fields;
}
