import type { LaneProgress } from '../../src/domain/walletLane';
import { type LaneState, MAX_SHOWN } from './state';
import { blockerOf } from './turns';

/** The response to the query `progress`. */
export function progressOf(state: LaneState): LaneProgress {
  const { capacity, holds, waiting, outstanding } = state;
  const blockedBy = waiting.length > 0 ? blockerOf(state) : undefined;
  return {
    capacity,
    holds: holds.map(({ flow, state: holdState, transactionId }) => ({
      flow,
      state: holdState,
      ...(transactionId !== undefined && { transactionId }),
    })),
    next: waiting.slice(0, MAX_SHOWN).map(({ flow }) => flow),
    waiting: waiting.length,
    outstanding: outstanding.slice(0, MAX_SHOWN),
    ...(blockedBy && { blockedBy }),
  };
}
