import type { ActivitySlotInfo, CustomSlotSupplier, SlotMarkUsedContext, SlotReleaseContext } from '@temporalio/worker';
import type { Bucket, Permit } from '../api/permits';

/**
 * A slot supplier whose slots are permits (docs/architecture.md#a-slot-is-a-permit): a Worker takes a permit before it
 * polls. A waiting task therefore stays on the server, where its priority applies and its timeouts do not run. A poll
 * without a task returns the permit immediately. After a task it returns when the API no longer counts the request.
 *
 * @param onWaited called with the time that a poll waited for its permit, in seconds
 */
export function permitSlots(bucket: Bucket, onWaited: (seconds: number) => void): CustomSlotSupplier<ActivitySlotInfo> {
  return {
    type: 'custom',
    reserveSlot: async (_context, signal) => {
      const begun = performance.now();
      const permit = await bucket.take(signal);
      onWaited((performance.now() - begun) / 1_000);
      return permit;
    },
    // Used only for eager activities, which these queues do not have. `reserveSlot` hands out the permits in order.
    tryReserveSlot: () => null,
    markSlotUsed: ({ permit }: SlotMarkUsedContext<ActivitySlotInfo>) => (permit as Permit).use(),
    releaseSlot: ({ permit }: SlotReleaseContext<ActivitySlotInfo>) => (permit as Permit).release(),
  };
}
