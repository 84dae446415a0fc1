import { Context } from '@temporalio/activity';
import { API_ACTIVITIES, type ApiActivityName } from '../src/domain/activityTable';

/**
 * Options of this attempt's request. A cancel aborts a read. It does not abort an effect: an aborted POST would be one
 * more unknown outcome, and its result counts even after a cancel.
 */
export function requestOptions(): { signal?: AbortSignal } {
  const { info, cancellationSignal } = Context.current();
  const { mode } = API_ACTIVITIES[info.activityType as ApiActivityName];
  return mode === 'read' || mode === 'poll' ? { signal: cancellationSignal } : {};
}
