import type { LaneRequest, OutstandingTransaction } from '../../src/domain/walletLane';

/**
 * What happens to a lane:
 *
 * - `request`     a flow asks, reports or releases
 * - `refused`     the API refused a transaction of the wallet because of its other transactions
 * - `listed`      the outstanding transactions of the wallet; absent if the API did not list them: the lane keeps
 *                 what it knows
 * - `delivered`   a flow has received a message
 * - `flowClosed`  a flow no longer runs
 * - `alarm`       time has passed
 */
export type LaneEvent =
  | { type: 'request'; request: LaneRequest }
  | { type: 'refused' }
  | { type: 'listed'; outstanding?: readonly OutstandingTransaction[] }
  | { type: 'delivered'; number: number }
  | { type: 'flowClosed'; flow: string; firstRunId: string }
  | { type: 'alarm' };

export type LaneEventOf<T extends LaneEvent['type']> = Extract<LaneEvent, { type: T }>;
