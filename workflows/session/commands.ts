import type { ChallengeUpdate } from '../../src/domain/messages';
import { firstPerFlow } from '../../src/domain/outbox';
import type { ChallengeRequest, LoginTokens, UserAuth } from '../../src/domain/userSession';
import type { CommandKind } from '../kit/commandRunner';
import { flowsBehind } from './notices';
import { type ChallengeRecord, hasTurn } from './record';
import {
  canSend,
  isBlocked,
  isReady,
  isRecovering,
  isWaiting,
  nextInQueue,
  openRecords,
  type Outgoing,
  type ReadRequest,
  type SessionState,
} from './state';
import { renewalDueAt } from './tokens';

/** A call with the user's token. `tokensVersion` goes into the event of its result. */
interface UserCall {
  auth: UserAuth;
  tokensVersion: number;
}

/**
 * What a session does. The runner starts each command once, as long as the state asks for it.
 *
 * - `list`, `send`       for the record with that key
 * - `follow`             polls a challenge until its end
 * - `read`               reads a challenge once
 * - `answer`             carries out a read of a flow
 * - `renewTokens`, `readUser`, `followUserEnabled`
 * - `deliver`            signals a flow
 * - `park`               stores a webhook for the operators
 * - `followFlowEnd`      polls whether a flow still runs
 * - `alarm`              waits until a time, in epoch milliseconds
 */
export type SessionCommand = { id: string } & (
  | ({ name: 'list'; key: string } & UserCall)
  | ({ name: 'send'; key: string; request: ChallengeRequest } & UserCall)
  | ({ name: 'follow'; challengeId: string } & UserCall)
  | ({ name: 'read'; challengeId: string } & UserCall)
  | ({ name: 'answer'; request: ReadRequest } & UserCall)
  | { name: 'renewTokens'; renewal: number; tokens: LoginTokens; tokensVersion: number }
  | { name: 'readUser' | 'followUserEnabled'; userId: string }
  | { name: 'deliver'; outgoing: Outgoing; requestCount: number }
  | { name: 'park'; update: ChallengeUpdate }
  | { name: 'followFlowEnd'; flow: string; requestCount: number }
  | { name: 'alarm'; at: number }
);

export type SessionCommandName = SessionCommand['name'];

const KINDS: Record<SessionCommandName, CommandKind> = {
  list: 'wait',
  send: 'finish',
  follow: 'wait',
  read: 'finish',
  answer: 'finish',
  renewTokens: 'finish',
  readUser: 'finish',
  followUserEnabled: 'wait',
  deliver: 'message',
  park: 'message',
  followFlowEnd: 'wait',
  alarm: 'wait',
};

export function kindOf(command: SessionCommand): CommandKind {
  const isPoll = command.name === 'answer' && command.request.operation.type === 'followTransaction';
  return isPoll ? 'wait' : KINDS[command.name];
}

/** The commands that the state asks for now. Their ids are unique, and stay the same as long as a command is wanted. */
export function commandsOf(state: SessionState): SessionCommand[] {
  const { auth, tokensVersion, outbox, parking, requestCount } = state;
  const call = { auth, tokensVersion };
  const commands: SessionCommand[] = firstPerFlow(outbox).map((outgoing) => ({
    id: `deliver/${outgoing.number}`,
    name: 'deliver',
    outgoing,
    requestCount,
  }));
  const [update] = parking;
  if (update) commands.push({ id: `park/${update.notificationId}`, name: 'park', update });
  if (state.renewing && auth.method === 'login')
    commands.push({
      id: `renewTokens/${state.renewals}`,
      name: 'renewTokens',
      renewal: state.renewals,
      tokens: auth.tokens,
      tokensVersion,
    });
  if (state.userCheck) commands.push({ id: 'readUser', name: 'readUser', userId: auth.userId });
  if (isEnablingAwaited(state) && state.at >= (state.readDisabledAt ?? 0))
    commands.push({ id: 'followUserEnabled', name: 'followUserEnabled', userId: auth.userId });
  const turn = turnCommand(state);
  if (turn) commands.push({ ...turn, ...call });
  for (const request of state.reads)
    // It needs no token of the user, and the API may answer it for a disabled user.
    if (!isBlocked(state) || (request.operation.type === 'readUser' && !request.refused))
      commands.push({ id: `answer/${request.id}`, name: 'answer', request, ...call });
  if (!isBlocked(state)) {
    for (const { state: open } of openRecords(state)) {
      const { id: challengeId } = open;
      if ((open.readAgainAt ?? 0) <= state.at)
        commands.push({ id: `follow/${challengeId}`, name: 'follow', challengeId, ...call });
      if (open.mustRead) commands.push({ id: `read/${challengeId}`, name: 'read', challengeId, ...call });
    }
  }
  for (const flow of followedFlows(state))
    commands.push({ id: `followFlowEnd/${flow}`, name: 'followFlowEnd', flow, requestCount });
  const at = nextAlarm(state);
  if (at !== undefined) commands.push({ id: `alarm/${at}`, name: 'alarm', at });
  return commands;
}

const FOLLOWED_STATES: ReadonlySet<string> = new Set(['queued', 'open']);

/**
 * The flows that may have closed without notice: those that others wait for, and those that get no signal although the
 * session renews their challenge, or polls a disabled user for them.
 */
function followedFlows(state: SessionState): Set<string> {
  const renewed = Object.values(state.records).filter(
    (record) => record.expired && !record.holderClosed && (hasTurn(record) || FOLLOWED_STATES.has(record.state.name)),
  );
  const flows = new Set(renewed.map(({ holder }) => holder));
  const [open] = openRecords(state);
  if (open && flowsBehind(state).size > 0) flows.add(open.holder);
  if (isEnablingAwaited(state)) for (const flow of flowsWithoutRequest(state)) flows.add(flow);
  return flows;
}

/** Whether a flow wants to learn that the user is enabled: one that waits for the session, or for a decision. */
function isEnablingAwaited(state: SessionState): boolean {
  const isAwaited = isWaiting(state) || Object.keys(state.notified).length > 0;
  return state.restriction?.reason === 'disabled' && isAwaited;
}

/** The flows that were notified of a restriction, and no longer wait for the session. They may have ended. */
function flowsWithoutRequest({ notified, records, reads }: SessionState): string[] {
  const waiting = [...Object.values(records).flatMap((record) => record.waiting), ...reads];
  return Object.keys(notified).filter((flow) => waiting.every((each) => each.flow !== flow));
}

type TurnCommand =
  { id: string; name: 'list'; key: string } | { id: string; name: 'send'; key: string; request: ChallengeRequest };

/**
 * The one command that sends a request or lists the open challenges. Only one runs at a time: a list that is read while
 * a request is being sent might already include the challenge that the request opens.
 */
function turnCommand(state: SessionState): TurnCommand | undefined {
  const { records } = state;
  const keys = Object.keys(records);
  const find = (matches: (record: ChallengeRecord) => boolean) => keys.find((key) => matches(records[key]!));
  const list = (key: string): TurnCommand => ({ id: `list/${key}`, name: 'list', key });
  const sendOf = (key: string): TurnCommand => {
    const { effect, ...others } = records[key]!.request!;
    // After a reset, the request is known not to be sent, or to be sent again with its key.
    const request = { ...others, effect: { ...effect, ...(state.resetRunId && { senderRunId: state.resetRunId }) } };
    return { id: `send/${key}.${request.effect.ordinal}`, name: 'send', key, request };
  };

  const sending = find((record) => record.state.name === 'sent' && record.state.phase === 'sending');
  if (sending !== undefined) return sendOf(sending);
  if (isBlocked(state) || isRecovering(state)) return undefined;
  const lookingUp = find(
    (record) =>
      record.state.name === 'sent' && record.state.phase === 'lookingUp' && record.state.lookUp!.nextAt <= state.at,
  );
  if (lookingUp !== undefined) return list(lookingUp);
  const sendable = find(
    (record) =>
      (record.state.name === 'listed' || isPausedWithKey(state, record)) &&
      // If the last notice of its turn cannot be delivered, the flow has closed.
      !state.outbox.some(({ flow }) => flow === record.holder),
  );
  if (sendable !== undefined) return sendOf(sendable);
  const next = nextInQueue(state);
  return next === undefined ? undefined : list(next);
}

function isPausedWithKey(state: SessionState, record: ChallengeRecord): boolean {
  const { state: sent } = record;
  const isPaused = sent.name === 'sent' && sent.phase === 'paused';
  return isPaused && openRecords(state).length === 0 && isReady(state, record) && canSend(state, record);
}

/** When the state changes by time alone, in epoch milliseconds. */
function nextAlarm(state: SessionState): number | undefined {
  const { at, restriction, records } = state;
  const times = [restriction?.until, renewalDueAt(state)];
  if (isRecovering(state)) times.push(state.recoveringUntil);
  if (restriction?.reason === 'disabled' && (state.readDisabledAt ?? 0) > at) times.push(state.readDisabledAt);
  for (const { hold, state: current } of Object.values(records)) {
    if (hold && hold.until > at && (current.name === 'queued' || current.name === 'sent')) times.push(hold.until);
    if (current.name === 'open' && current.readAgainAt && current.readAgainAt > at) times.push(current.readAgainAt);
    if (current.name === 'sent' && current.lookUp && current.lookUp.nextAt > at) times.push(current.lookUp.nextAt);
  }
  const future = times.filter((time): time is number => time !== undefined);
  return future.length > 0 ? Math.min(...future) : undefined;
}
