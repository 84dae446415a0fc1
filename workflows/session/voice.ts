import { getExternalWorkflowHandle } from '@temporalio/workflow';
import type { ApiFailure } from '../../src/domain/apiFailure';
import type { SessionRequest, SessionTelling, UserBlock } from '../../src/domain/userSession';
import { sessionSignal } from '../kit/messages';
import type { Lifetime } from './lifetime';
import { keep, type SessionState } from './state';

/** What the session tells flows. A flow that can't be told is gone, and with it all that it wanted. */
export class Voice {
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
    if (this.state.open) flows.add(this.state.open.holder);
    for (const flow of this.state.told) flows.add(flow);
    for (const flow of flows) this.tellBlock(flow, block);
  }

  tellBlock(flow: string, block: UserBlock | undefined): void {
    this.forget(flow);
    if (block) keep(this.state, 'told', flow);
    this.say(flow, { block: block ?? null });
  }

  /** The flow has ended without a word. */
  gone(flow: string): void {
    const { state } = this;
    state.requests = state.requests.filter((request) => request.flow !== flow);
    if (state.open?.holder === flow) state.open = undefined;
    this.forget(flow);
  }

  private forget(flow: string): void {
    this.state.told = this.state.told.filter((each) => each !== flow);
  }

  private say(flow: string, telling: SessionTelling): void {
    const send = () => getExternalWorkflowHandle(flow).signal(sessionSignal, telling);
    this.lifetime.spawn(() => this.lifetime.hold(() => send().catch(() => this.gone(flow))));
  }
}
