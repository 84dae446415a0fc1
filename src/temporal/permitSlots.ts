import type { ActivitySlotInfo, CustomSlotSupplier, SlotMarkUsedContext, SlotReleaseContext } from '@temporalio/worker';
import type { Bucket, Permit } from '../api/permits';

/**
 * A slot supplier whose slots are permits (DESIGN rule 4): a Worker takes a permit before it polls, so a waiting task
 * stays on the server, where its priority counts, and no timeout runs. An empty poll gives the permit back at once, a
 * task when the API no longer counts its request (`LocalBucket`).
 *
 * @param waited told how long each permit was waited for, in seconds
 */
export function permitSlots(bucket: Bucket, waited: (seconds: number) => void): CustomSlotSupplier<ActivitySlotInfo> {
  return {
    type: 'custom',
    reserveSlot: async (_context, signal) => {
      const begun = performance.now();
      const permit = await bucket.take(signal);
      waited((performance.now() - begun) / 1_000);
      return permit;
    },
    // Only eager activities ask this way, and these queues have none: a permit is never given without waiting in line.
    tryReserveSlot: () => null,
    markSlotUsed: ({ permit }: SlotMarkUsedContext<ActivitySlotInfo>) => (permit as Permit).use(),
    releaseSlot: ({ permit }: SlotReleaseContext<ActivitySlotInfo>) => (permit as Permit).release(),
  };
}
