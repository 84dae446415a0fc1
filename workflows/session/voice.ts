import { condition, getExternalWorkflowHandle } from '@temporalio/workflow';
import type { ApiFailure } from '../../src/domain/apiFailure';
import type { SessionRequest, SessionTelling, UserBlock } from '../../src/domain/userSession';
import { sessionSignal } from '../kit/messages';
import type { Lifetime } from './lifetime';
import { behindOthers, closeChallenge, keep, OTHER_CHALLENGE, type SessionState } from './state';

/** What the session tells flows. A flow that can't be told is gone, and with it all that it wanted. */
export class Voice {
  /** What is being said, each to its flow. */
  private readonly saying = new Set<{ flow: string }>();

  constructor(
    private readonly state: SessionState,
    private readonly lifetime: Lifetime,
  ) {}

  /** Answers a request, once. */
  answer({ id, flow }: SessionRequest, answer: { value: unknown } | { failure: ApiFailure }): void {
    if (!this.close(id)) return;
    this.say(flow, { id, ...answer });
  }

  /** Takes a request off the list. @returns whether it was there */
  close(id: string): boolean {
    const at = this.state.requests.findIndex((request) => request.id === id);
    if (at >= 0) this.state.requests.splice(at, 1);
    return at >= 0;
  }

  /** Tells everybody who waits, or was told before, what keeps the user from approving anything now. */
  block(block: UserBlock | undefined): void {
    this.state.block = block;
    const flows = new Set(this.state.requests.map(({ flow }) => flow));
    for (const { holder } of this.state.open) flows.add(holder);
    for (const flow of this.state.told) flows.add(flow);
    const behind = new Set(block ? [] : behindOthers(this.state).map(({ flow }) => flow));
    for (const flow of flows) this.tellBlock(flow, behind.has(flow) ? OTHER_CHALLENGE : block);
  }

  tellBlock(flow: string, block: UserBlock | undefined): void {
    this.forget(flow);
    if (block) keep(this.state, 'told', flow);
    this.say(flow, { block: block ?? null });
  }

  /** Waits until a flow has heard what was said to it, or turned out to be gone. */
  async heard(flow: string): Promise<void> {
    await condition(() => [...this.saying].every((word) => word.flow !== flow));
  }

  /** The flow has ended without a word. */
  gone(flow: string): void {
    const { state } = this;
    state.requests = state.requests.filter((request) => request.flow !== flow);
    closeChallenge(state, ({ holder }) => holder === flow);
    this.forget(flow);
  }

  private forget(flow: string): void {
    this.state.told = this.state.told.filter((each) => each !== flow);
  }

  private say(flow: string, telling: SessionTelling): void {
    const word = { flow };
    const send = async () => {
      this.saying.add(word);
      try {
        await getExternalWorkflowHandle(flow).signal(sessionSignal, telling);
      } catch {
        this.gone(flow);
      } finally {
        this.saying.delete(word);
      }
    };
    this.lifetime.spawn(() => this.lifetime.hold(send));
  }
}
