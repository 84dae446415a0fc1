import { INTERRUPTION_STATUSES } from './interruption';
import { OUTCOMES } from './outcome';

/**
 * Whether a flow runs, and how it ended:
 *
 * - `running`     it has not ended
 * - a status of `Outcome`
 * - `terminated`  somebody ended its workflow in Temporal, so that it has no outcome
 * - `timedOut`    its workflow reached a timeout of the namespace or server, and has no outcome
 * - `crashed`     its workflow failed because of a bug, and has no outcome
 */
export const FLOW_STATUSES = ['running', ...OUTCOMES, ...INTERRUPTION_STATUSES] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

export function isFlowStatus(value: unknown): value is FlowStatus {
  return FLOW_STATUSES.includes(value as FlowStatus);
}
