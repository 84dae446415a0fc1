import { Context } from '@temporalio/activity';
import { API_ACTIVITIES, type ApiActivityName } from '../src/domain/activityTable';

/**
 * Options of this attempt's request. A read is given up when its flow no longer wants it; an effect is not: an aborted
 * POST would be one more unknown outcome, and its result counts even after a cancel (DESIGN rule 9).
 */
export function request(): { signal?: AbortSignal } {
  const { info, cancellationSignal } = Context.current();
  const { mode } = API_ACTIVITIES[info.activityType as ApiActivityName];
  return mode === 'read' || mode === 'poll' ? { signal: cancellationSignal } : {};
}
