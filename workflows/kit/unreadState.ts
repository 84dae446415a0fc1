import { log } from '@temporalio/workflow';

/**
 * Ends a lane or session that cannot read the state that the run before has passed on. Beginning without it would leave its
 * flows waiting: they send their requests again only once no run goes on.
 */
export function endUnread(): void {
  log.error('Ends, because it cannot read the state of the run before. Its flows start it again');
}
