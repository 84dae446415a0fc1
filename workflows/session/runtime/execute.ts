import {
  CancellationScope,
  getExternalWorkflowHandle,
  isCancellation,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { WalletFacts } from '../../../activities';
import type { ApiFailure } from '../../../src/domain/apiFailure';
import { CODES } from '../../../src/domain/codes';
import { isEnded, type SessionStart, USER_SESSION, type UserAuth } from '../../../src/domain/userSession';
import { apiActivities, flowQueueActivities, localActivities, untilDone } from '../../kit/activities';
import { apiFailure, unexpectedFailure } from '../../kit/failure';
import { sessionMessageSignal } from '../../kit/messages';
import type { SessionCommand, SessionCommandName } from '../commands';
import type { SessionEvent } from '../events';
import type { ReadRequest } from '../state';

type CommandOf<N extends SessionCommandName> = Extract<SessionCommand, { name: N }>;

/** Page size of the API's lists. */
const PAGE_SIZE = 50;

type Executor<C> = (command: C, start: SessionStart, dispatch: (event: SessionEvent) => void) => Promise<SessionEvent>;

/** How each command of the session is carried out: by an activity, a signal or a timer. */
const EXECUTORS: { [N in SessionCommandName]: Executor<CommandOf<N>> } = {
  list: ({ key, auth, tokensVersion }, { entity }) =>
    failing(
      async () => ({ type: 'listed', key, ...(await apiActivities(entity).listOpenChallenges(auth)) }),
      (failure) => ({ type: 'listFailed', key, failure, tokensVersion }),
    ),
  send({ key, request, auth, tokensVersion }, { entity }, dispatch) {
    dispatch({ type: 'sending', key });
    const { call, effect, params, body } = request;
    return failing(
      async () => ({
        type: 'sent',
        key,
        challengeId: await apiActivities(entity)[call](effect, auth, { params, body }),
      }),
      (failure) => ({ type: 'sendFailed', key, failure, tokensVersion }),
    );
  },
  follow: ({ challengeId, auth, tokensVersion }, { entity }) =>
    failing(
      async () => ({ type: 'ended', challenge: await apiActivities(entity).followChallenge(auth, challengeId) }),
      (failure) => ({ type: 'followFailed', challengeId, failure, tokensVersion }),
    ),
  read: ({ challengeId, auth }, { entity }) =>
    failing(
      async () => {
        const challenge = await apiActivities(entity).readChallenge(auth, challengeId);
        return isEnded(challenge) ? { type: 'ended', challenge } : { type: 'readDone', challengeId };
      },
      () => ({ type: 'readDone', challengeId }),
    ),
  answer: ({ request, auth, tokensVersion }, { entity }) =>
    failing(
      async () => ({ type: 'answered', requestId: request.id, value: await answer(entity, auth, request) }),
      (failure) => ({ type: 'answerFailed', requestId: request.id, failure, tokensVersion }),
    ),
  renewTokens({ renewal, tokens, tokensVersion }, { entity, ref }) {
    // The run id makes the idempotency key differ from the keys that earlier sessions of the same user have used.
    const session = `${ref}:${workflowInfo().firstExecutionRunId}`;
    const effect = { flow: USER_SESSION, ref: session, step: 'renew', ordinal: renewal };
    return failing(
      async () => ({
        type: 'tokensRenewed',
        tokens: await apiActivities(entity).refreshUserToken(effect, tokens),
        tokensVersion,
      }),
      (failure) => ({ type: 'renewalFailed', failure, tokensVersion }),
    );
  },
  readUser: ({ userId }, { entity }) =>
    failing(
      async () => ({ type: 'userRead', user: await apiActivities(entity).readUser(userId) }),
      ({ code }) => ({ type: 'userRead', ...(code === CODES.userDisabled && { user: { status: 'DISABLED' } }) }),
    ),
  followUserEnabled: ({ userId }, { entity }) =>
    failing(
      async () => {
        await apiActivities(entity).followUserEnabled(userId);
        return { type: 'userEnabled' };
      },
      // If the user cannot be read, the next call shows whether the user is enabled.
      () => ({ type: 'userEnabled' }),
    ),
  async deliver({ outgoing: { flow, message, number }, requestCount }) {
    try {
      const from = { runId: workflowInfo().runId, number };
      await getExternalWorkflowHandle(flow).signal(sessionMessageSignal, { ...message, from });
      return { type: 'delivered', number };
    } catch {
      return { type: 'flowClosed', flow, requestCount };
    }
  },
  async park({ update: { notificationId, ...notification } }) {
    const type = `challenges.${notification.type}`;
    const event = {
      id: notificationId,
      at: new Date().toISOString(),
      type,
      reason: `challenge ${notification.id}: no flow of this user is waiting for it`,
      payload: JSON.stringify({ notificationId, notificationType: type, notification }),
    };
    await untilDone(() => localActivities.holdEvent('parked', event));
    return { type: 'parked' };
  },
  async followFlowEnd({ flow, requestCount }, { entity }) {
    await untilDone(() => flowQueueActivities(entity).followFlowEnd(flow));
    return { type: 'flowClosed', flow, requestCount };
  },
  async alarm({ at }) {
    await sleep(Math.max(at - Date.now(), 1));
    return { type: 'alarm' };
  },
};

export function execute(
  command: SessionCommand,
  start: SessionStart,
  dispatch: (event: SessionEvent) => void,
): Promise<SessionEvent> {
  return (EXECUTORS[command.name] as Executor<SessionCommand>)(command, start, dispatch);
}

/**
 * Turns every failure into an event, also one that the API did not cause: no failed activity ends a session
 * (docs/architecture.md#a-session-that-is-lost).
 */
async function failing(
  work: () => Promise<SessionEvent>,
  onFailure: (failure: ApiFailure) => SessionEvent,
): Promise<SessionEvent> {
  try {
    return await work();
  } catch (error) {
    // The runner has ended the command, and drops the result.
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
    return onFailure(apiFailure(error) ?? unexpectedFailure(error));
  }
}

async function answer(entity: string, auth: UserAuth, { operation }: ReadRequest): Promise<unknown> {
  const api = apiActivities(entity, { untilReadable: 'untilReadable' in operation });
  switch (operation.type) {
    case 'readUser':
      return api.readUser(auth.userId);
    case 'listWallets':
      return listWallets(entity, auth);
    case 'followTransaction':
      return api.followUserTransaction(auth, operation.id, {
        until: operation.until,
        expected: operation.expected,
      });
  }
}

/** @throws Error if the cursor does not advance: the list would never end */
async function listWallets(entity: string, auth: UserAuth): Promise<WalletFacts[]> {
  const all = new Map<string, WalletFacts>();
  for (let pageAfter: string | undefined; ;) {
    const page = await apiActivities(entity).listUserWallets(auth, pageAfter);
    const known = all.size;
    for (const wallet of page) all.set(wallet.id, wallet);
    if (page.length < PAGE_SIZE) return [...all.values()];
    if (all.size === known) throw new Error('The cursor of the list of wallets does not advance');
    pageAfter = page.at(-1)!.id;
  }
}
