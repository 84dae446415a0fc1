import {
  finish,
  handleFollowFailed,
  handleListed,
  handleListFailed,
  handleReadDone,
  handleSendFailed,
  handleSending,
  handleSent,
  handleUpdate,
} from './challenges';
import { commandsOf, type SessionCommand } from './commands';
import type { SessionEvent, SessionEventOf } from './events';
import { send, setRecord } from './records';
import { handleRequest } from './requests';
import { applyUser, lift } from './restrictions';
import { settle } from './settle';
import { omit, type SessionState } from './state';
import { failRenewal, finishRenewal, handleAccessFailure, proveTokens } from './tokens';

/** How the session takes each event. Each handler changes a draft of the state; `settle` applies what follows from it. */
const HANDLERS: { [T in SessionEvent['type']]: (draft: SessionState, event: SessionEventOf<T>) => void } = {
  request: handleRequest,
  update: handleUpdate,
  sending: handleSending,
  sent: handleSent,
  sendFailed: handleSendFailed,
  listed: handleListed,
  listFailed: handleListFailed,
  ended(draft, { challenge }) {
    proveTokens(draft);
    finish(draft, challenge);
  },
  followFailed: handleFollowFailed,
  readDone: handleReadDone,
  answered(draft, { requestId, value }) {
    const request = draft.reads.find(({ id }) => id === requestId);
    if (!request) return;
    if (request.operation.type !== 'readUser') proveTokens(draft);
    draft.reads = draft.reads.filter(({ id }) => id !== requestId);
    send(draft, request.flow, { id: requestId, value });
  },
  answerFailed(draft, { requestId, failure, tokensVersion }) {
    const request = draft.reads.find(({ id }) => id === requestId);
    if (!request) return;
    const others = draft.reads.filter(({ id }) => id !== requestId);
    draft.reads = [...others, { ...request, refused: true }];
    if (handleAccessFailure(draft, failure, tokensVersion)) return;
    draft.reads = others;
    send(draft, request.flow, { id: requestId, failure });
  },
  delivered(draft, { number }) {
    draft.outbox = draft.outbox.filter((each) => each.number !== number);
  },
  flowClosed(draft, { flow, requestCount }) {
    const isOpen = (request: { flow: string; number: number }) =>
      request.flow !== flow || request.number > requestCount;
    for (const [key, record] of Object.entries(draft.records)) {
      const waiting = record.waiting.filter(isOpen);
      const isHolder = record.holder === flow && waiting.every((each) => each.flow !== flow);
      setRecord(draft, key, { waiting, ...(isHolder && { holderClosed: true as const }) });
    }
    draft.reads = draft.reads.filter(isOpen);
    draft.outbox = draft.outbox.filter((each) => each.flow !== flow || each.requestCount > requestCount);
    draft.notified = omit(draft.notified, flow);
  },
  parked(draft) {
    draft.parking = draft.parking.slice(1);
  },
  tokensRenewed: (draft, { tokens, tokensVersion }) => finishRenewal(draft, tokens, tokensVersion),
  renewalFailed: (draft, { failure, tokensVersion }) => failRenewal(draft, failure, tokensVersion),
  userRead: (draft, { user }) => applyUser(draft, user),
  userEnabled(draft) {
    lift(draft, 'disabled');
    draft.enabledAt = draft.at;
  },
  alarm: () => undefined,
};

/**
 * The session of a user as a pure function: every rule about challenges, tokens and restrictions
 * (docs/architecture.md#the-session-of-a-user). The state stays as it was; the result is a new one, with the commands
 * that it asks for. A command that the runner has started before is not started again.
 * @param at time of the event, in epoch milliseconds
 */
export function reduce(
  state: SessionState,
  event: SessionEvent,
  at: number,
): { state: SessionState; commands: SessionCommand[] } {
  const draft: SessionState = { ...state, at: Math.max(state.at, at) };
  const handle = HANDLERS[event.type] as (draft: SessionState, event: SessionEvent) => void;
  handle(draft, event);
  settle(draft);
  return { state: draft, commands: commandsOf(draft) };
}
