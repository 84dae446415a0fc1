import { z } from 'zod';
import { worldMs } from './duration';
import { FaultList, portion, type Listed } from './faultList';

/** How long a webhook is held back for another to overtake it, in world time. */
export const HELD_AT_MOST_MS = 60_000;

/**
 * What goes wrong with a webhook. The first four strike when it is sent; the last two each try, so that with `count: 1`
 * the second try is a good one.
 */
const action = z.enum(['lose', 'double', 'delay', 'reorder', 'forge', 'unknownKey']);
const ON_TRY: ReadonlySet<WebhookFaultAction> = new Set(['forge', 'unknownKey']);

export const webhookFaultSchema = z
  .strictObject({
    /** As subscribed to: `transactions.outbound`, `transactions.*` or `*`. */
    type: z.string().min(1).default('*'),
    ...portion,
    action,
    /** World time, of `delay` only. */
    delayMs: worldMs.optional(),
  })
  .refine((fault) => (fault.action === 'delay') === (fault.delayMs !== undefined), {
    path: ['delayMs'],
    error: '"delay" needs it, and no other action takes it',
  });

export type WebhookFaultAction = z.output<typeof action>;
type Spec = z.output<typeof webhookFaultSchema>;
export type WebhookFault = Listed<Spec>;

/** What goes wrong on purpose with webhooks of a world. */
export class WebhookFaults extends FaultList<Spec> {
  /** Several may strike one webhook together. */
  strike(fits: (wanted: string) => boolean, point: 'sending' | 'try'): WebhookFault[] {
    return this.hit(
      ({ type, action: what }) => ON_TRY.has(what) === (point === 'try') && fits(type),
      () => false,
    );
  }
}
