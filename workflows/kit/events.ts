import { CancellationScope } from '@temporalio/workflow';
import type { Decision, OpenAttention } from '../../src/domain/attention';
import {
  eventId,
  type EventSubscription,
  type FlowEvent,
  type FlowEventData,
  type FlowEventType,
  type RecordedDecision,
} from '../../src/domain/flowEvent';
import type { Outcome } from '../../src/domain/outcome';
import type { Progress } from '../../src/domain/progress';
import { localActivities } from './activities';

/**
 * The numbered events of one flow. They are enqueued in order at a workflow that delivers them, so an endpoint that is
 * down does not delay the flow. Without a subscription nothing is sent and nothing is added to the history
 * (docs/architecture.md#events-for-the-integrator).
 */
export class FlowEvents {
  private subscription: EventSubscription | undefined;
  private sequence = 0;
  private outbox: FlowEvent[] = [];
  private flushing: Promise<void> | undefined;
  private readonly decisions: RecordedDecision[] = [];

  constructor(private readonly progress: Readonly<Progress>) {}

  /** Emits events from now on if the entity's endpoint is configured. */
  enable(subscription: EventSubscription | undefined): void {
    this.subscription = subscription;
  }

  emit<T extends FlowEventType>(type: T, data: FlowEventData[T]): void {
    if (!this.subscription || (type === 'step' && !this.subscription.steps)) return;
    const { entity, flow, ref } = this.progress;
    const sequence = ++this.sequence;
    const id = eventId(flow, ref, sequence);
    this.outbox.push({ id, type, timestamp: now(), entity, flow, ref, sequence, data } as FlowEvent);
    // A cancellation of the current step does not cancel its events.
    this.flushing ??= CancellationScope.nonCancellable(() => this.flush());
  }

  attentionOpened(attention: OpenAttention): void {
    this.emit('attention', { state: 'opened', ...attention });
  }

  /** @param by who decided or cancelled; undefined if no one did */
  attentionClosed({ id, name }: OpenAttention, { choice, by }: Partial<Decision>): void {
    if (choice !== undefined && by !== undefined) this.decisions.push({ attention: name, choice, by, at: now() });
    this.emit('attention', { state: 'closed', id, name, ...(choice && { choice }), ...(by && { by }) });
  }

  ended(outcome: Outcome): void {
    const { startedBy, policy, resources } = this.progress;
    this.emit('ended', {
      ...outcome,
      ...(startedBy && { startedBy }),
      ...(policy && { policy }),
      resources,
      decisions: this.decisions,
    });
  }

  /** Resolves when the delivery workflow has all events emitted so far. */
  async flushed(): Promise<void> {
    await this.flushing;
  }

  /**
   * One call at a time keeps the order. Temporal retries it indefinitely: it needs only the Temporal server, as the
   * flow itself does.
   */
  private async flush(): Promise<void> {
    while (this.outbox.length > 0) await localActivities.enqueueEvents(this.outbox.splice(0));
    this.flushing = undefined;
  }
}

function now(): string {
  return new Date().toISOString();
}
