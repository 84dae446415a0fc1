import { getExternalWorkflowHandle, sleep, workflowInfo } from '@temporalio/workflow';
import type { WalletFacts } from '../../../activities';
import { isEnded, type SessionStart, USER_SESSION, type UserAuth } from '../../../src/domain/userSession';
import { apiActivities, flowQueueActivities, localActivities } from '../../kit/activities';
import { apiFailure } from '../../kit/failure';
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
      async () => ({ type: 'listed', key, challenges: await apiActivities(entity).listOpenChallenges(auth) }),
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
      () => ({ type: 'userRead' }),
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
      await getExternalWorkflowHandle(flow).signal(sessionMessageSignal, message);
      return { type: 'delivered', number };
    } catch {
      return { type: 'flowClosed', flow, requestCount };
    }
  },
  async park({ update: { notificationId, ...notification } }) {
    const type = `challenges.${notification.type}`;
    await localActivities.holdEvent('parked', {
      id: notificationId,
      at: new Date().toISOString(),
      type,
      reason: `challenge ${notification.id}: no flow of this user is waiting for it`,
      payload: { notificationId, notificationType: type, notification },
    });
    return { type: 'parked' };
  },
  async followFlowEnd({ flow, requestCount }, { entity }) {
    await flowQueueActivities(entity).followFlowEnd(flow);
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

/** Turns a failure of the API into an event. @throws every other error */
async function failing(
  work: () => Promise<SessionEvent>,
  onFailure: (failure: NonNullable<ReturnType<typeof apiFailure>>) => SessionEvent,
): Promise<SessionEvent> {
  try {
    return await work();
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    return onFailure(failure);
  }
}

async function answer(entity: string, auth: UserAuth, { operation }: ReadRequest): Promise<unknown> {
  const api = apiActivities(entity);
  switch (operation.type) {
    case 'readUser':
      return api.readUser(auth.userId);
    case 'listWallets':
      return listWallets(entity, auth);
    case 'followTransaction':
      return api.followUserTransaction(auth, operation.id, {
        returnOnStuck: operation.stuck,
        expected: operation.expected,
      });
  }
}

async function listWallets(entity: string, auth: UserAuth): Promise<WalletFacts[]> {
  const all: WalletFacts[] = [];
  for (;;) {
    const page = await apiActivities(entity).listUserWallets(auth, all.at(-1)?.id);
    all.push(...page);
    if (page.length < PAGE_SIZE) return all;
  }
}
