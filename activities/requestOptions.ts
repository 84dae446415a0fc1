import { Context } from '@temporalio/activity';
import { API_ACTIVITIES, type ApiActivityName, isEffect } from '../src/domain/activityTable';

/**
 * Options of this attempt's request. A cancellation aborts reads but not effects: aborting a POST would add an unknown
 * outcome, and the result of an effect matters even after a cancellation.
 */
export function requestOptions(): { signal?: AbortSignal } {
  const { info, cancellationSignal } = Context.current();
  const { mode } = API_ACTIVITIES[info.activityType as ApiActivityName];
  return isEffect(mode) ? {} : { signal: cancellationSignal };
}
