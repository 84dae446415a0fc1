import { CancellationScope } from '@temporalio/workflow';
import type { Attention, Decision } from '../../src/domain/attention';
import {
  type DecisionMade,
  eventId,
  type FlowEvent,
  type FlowEventData,
  type FlowEventType,
  type WantedEvents,
} from '../../src/domain/flowEvent';
import type { Outcome } from '../../src/domain/outcome';
import type { Progress } from '../../src/domain/progress';
import { local } from './activities';

/**
 * What one flow tells the integrator, numbered. Handed over in order to a workflow that delivers it, so that an endpoint
 * that does not answer holds up nothing here. Nothing happens, and nothing is in the history, where nobody wants events.
 */
export class FlowEvents {
  private wanted: WantedEvents | undefined;
  private sequence = 0;
  private outbox: FlowEvent[] = [];
  private handingOver: Promise<void> | undefined;
  private readonly decisions: DecisionMade[] = [];

  constructor(private readonly progress: Readonly<Progress>) {}

  /** Events are emitted from now on, where there is somebody who wants them. */
  open(wanted: WantedEvents | undefined): void {
    this.wanted = wanted;
  }

  emit<T extends FlowEventType>(type: T, data: FlowEventData[T]): void {
    if (!this.wanted || (type === 'step' && !this.wanted.steps)) return;
    const { entity, flow, ref } = this.progress;
    const sequence = ++this.sequence;
    const id = eventId(flow, ref, sequence);
    this.outbox.push({ id, type, timestamp: now(), entity, flow, ref, sequence, data } as FlowEvent);
    // Whatever becomes of the step that it was told in.
    this.handingOver ??= CancellationScope.nonCancellable(() => this.handOver());
  }

  attentionOpened(attention: Attention): void {
    this.emit('attention', { state: 'opened', ...attention });
  }

  /** @param by who decided or cancelled, where somebody did */
  attentionClosed({ name }: Attention, { choice, by }: Partial<Decision>): void {
    if (choice !== undefined && by !== undefined) this.decisions.push({ attention: name, choice, by, at: now() });
    this.emit('attention', { state: 'closed', name, ...(choice && { choice }), ...(by && { by }) });
  }

  ended(outcome: Outcome): void {
    const { policy, resources } = this.progress;
    this.emit('ended', { ...outcome, ...(policy && { policy }), resources, decisions: this.decisions });
  }

  /** Resolves when everything that was emitted is with the workflow that delivers it. */
  async handedOver(): Promise<void> {
    await this.handingOver;
  }

  /** One at a time, so that they come in order. Tried again without end: it needs the server alone, as the flow does. */
  private async handOver(): Promise<void> {
    while (this.outbox.length > 0) await local.handOverEvents(this.outbox.splice(0));
    this.handingOver = undefined;
  }
}

function now(): string {
  return new Date().toISOString();
}
