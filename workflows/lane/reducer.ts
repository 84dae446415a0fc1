import { commandsOf, type LaneCommand } from './commands';
import type { LaneEvent, LaneEventOf } from './events';
import { dropFlow, handleRequest } from './requests';
import { listAgain, type LaneState } from './state';
import { giveTurns } from './turns';

/** How the lane takes each event. Each handler changes a draft of the state; turns are given afterwards. */
const HANDLERS: {
  [T in LaneEvent['type']]: (draft: LaneState, event: LaneEventOf<T>, walletId: string) => void;
} = {
  request: (draft, { request }, walletId) => handleRequest(draft, walletId, request),
  refused: listAgain,
  listed(draft, { outstanding = draft.outstanding }) {
    const isHolder = (flow: string | undefined) => draft.holds.some((hold) => hold.flow === flow);
    draft.outstanding = outstanding.filter(({ flow }) => !isHolder(flow));
    draft.mustList = false;
    draft.lists++;
  },
  delivered(draft, { number }) {
    draft.outbox = draft.outbox.filter((each) => each.number !== number);
  },
  flowClosed: dropFlow,
  alarm: () => undefined,
};

/**
 * The lane of a wallet as a pure function: every rule about turns (docs/architecture.md#the-lane-of-a-wallet). The state
 * stays as it was; the result is a new one, with the commands that it asks for. A command that the runner has started
 * before is not started again.
 * @param walletId goes into the messages to flows, which may use several lanes
 * @param at time of the event, in epoch milliseconds
 */
export function reduce(
  state: LaneState,
  event: LaneEvent,
  walletId: string,
  at: number,
): { state: LaneState; commands: LaneCommand[] } {
  const draft: LaneState = { ...state, at: Math.max(state.at, at) };
  const handle = HANDLERS[event.type] as (draft: LaneState, event: LaneEvent, walletId: string) => void;
  handle(draft, event, walletId);
  giveTurns(draft, walletId);
  return { state: draft, commands: commandsOf(draft) };
}
