import { condition, getExternalWorkflowHandle } from '@temporalio/workflow';
import type { ApiFailure } from '../../src/domain/apiFailure';
import type { SessionMessage, SessionRequest, UserRestriction } from '../../src/domain/userSession';
import { sessionMessageSignal } from '../kit/messages';
import type { RunLifecycle } from './runLifecycle';
import { appendBounded, OTHER_CHALLENGE, queuedBehindOthers, removeOpenChallenges, type SessionState } from './state';

/**
 * Sends the session's messages to flows. If a flow cannot be signalled, it has closed, and the session drops its
 * requests.
 */
export class FlowNotifier {
  /** Signals that are being sent. */
  private readonly inFlight = new Set<{ flow: string }>();

  constructor(
    private readonly state: SessionState,
    private readonly lifecycle: RunLifecycle,
  ) {}

  /** Responds to a request, once. */
  respond({ id, flow }: SessionRequest, response: { value: unknown } | { failure: ApiFailure }): void {
    if (!this.removeRequest(id)) return;
    this.send(flow, { id, ...response });
  }

  /** Removes a request from the list. @returns whether it was in it */
  removeRequest(id: string): boolean {
    const at = this.state.requests.findIndex((request) => request.id === id);
    if (at >= 0) this.state.requests.splice(at, 1);
    return at >= 0;
  }

  /** Sets the restriction of the user, and notifies all flows that wait or were notified of an earlier one. */
  setRestriction(restriction: UserRestriction | undefined): void {
    this.state.restriction = restriction;
    const flows = new Set(this.state.requests.map(({ flow }) => flow));
    for (const { holder } of this.state.open) flows.add(holder);
    for (const flow of this.state.notifiedFlows) flows.add(flow);
    const queuedBehind = new Set(restriction ? [] : queuedBehindOthers(this.state).map(({ flow }) => flow));
    for (const flow of flows) this.notifyRestriction(flow, queuedBehind.has(flow) ? OTHER_CHALLENGE : restriction);
  }

  notifyRestriction(flow: string, restriction: UserRestriction | undefined): void {
    this.unmarkNotified(flow);
    if (restriction) appendBounded(this.state, 'notifiedFlows', flow);
    this.send(flow, { restriction: restriction ?? null });
  }

  /** Waits until all messages to a flow are delivered, or the flow turns out to be closed. */
  async awaitDelivery(flow: string): Promise<void> {
    await condition(() => [...this.inFlight].every((delivery) => delivery.flow !== flow));
  }

  /** The flow no longer runs: drops its requests and its open challenge. */
  dropFlow(flow: string): void {
    const { state } = this;
    state.requests = state.requests.filter((request) => request.flow !== flow);
    removeOpenChallenges(state, ({ holder }) => holder === flow);
    this.unmarkNotified(flow);
  }

  private unmarkNotified(flow: string): void {
    this.state.notifiedFlows = this.state.notifiedFlows.filter((each) => each !== flow);
  }

  private send(flow: string, message: SessionMessage): void {
    const delivery = { flow };
    const deliver = async () => {
      this.inFlight.add(delivery);
      try {
        await getExternalWorkflowHandle(flow).signal(sessionMessageSignal, message);
      } catch {
        this.dropFlow(flow);
      } finally {
        this.inFlight.delete(delivery);
      }
    };
    this.lifecycle.spawn(() => this.lifecycle.runToCompletion(deliver));
  }
}
