import { z } from 'zod';
import { worldMs } from '../kit/duration';
import { FaultList, frequency, type ListedFault } from './faultList';

/** How long a `reorder` fault holds back a webhook for a later one to overtake it. World time. */
export const MAX_REORDER_DELAY_MS = 60_000;

/**
 * What goes wrong with a webhook. The first four actions apply when the webhook is emitted. The last two apply to each
 * delivery attempt, so that with `count: 1` the second attempt is correct.
 */
const action = z.enum(['lose', 'double', 'delay', 'reorder', 'forge', 'unknownKey']);
const PER_ATTEMPT: ReadonlySet<WebhookFaultAction> = new Set(['forge', 'unknownKey']);

export const webhookFaultSchema = z
  .strictObject({
    /** A type as in subscriptions: `transactions.outbound`, `transactions.*` or `*`. */
    type: z.string().min(1).default('*'),
    ...frequency,
    action,
    /** World time. Only for `delay`. */
    delayMs: worldMs.optional(),
  })
  .refine((fault) => (fault.action === 'delay') === (fault.delayMs !== undefined), {
    path: ['delayMs'],
    error: 'is required for "delay" and not allowed for other actions',
  });

export type WebhookFaultAction = z.output<typeof action>;
type Spec = z.output<typeof webhookFaultSchema>;
export type WebhookFault = ListedFault<Spec>;

/** The injected faults for webhooks of a world. */
export class WebhookFaults extends FaultList<Spec> {
  /** Several faults may apply to the same webhook. */
  strike(matches: (pattern: string) => boolean, point: 'emit' | 'attempt'): WebhookFault[] {
    return this.trigger(
      (fault) => PER_ATTEMPT.has(fault.action) === (point === 'attempt') && matches(fault.type),
      () => false,
    );
  }
}
