import { continueAsNew, setHandler } from '@temporalio/workflow';
import type { WalletFacts } from '../activities';
import type { ApiFailure } from '../src/domain/apiFailure';
import type { ChallengeUpdate } from '../src/domain/messages';
import type { SessionRequest, SessionStart } from '../src/domain/userSession';
import { apiActivities } from './kit/activities';
import { handleApprovalCredentials } from './kit/approvalCredentials';
import { apiFailure } from './kit/failure';
import { challengeUpdateSignal, sessionProgressQuery, sessionRequestSignal } from './kit/messages';
import { ChallengeCredentialsSource } from './session/challengeCredentialsSource';
import { ChallengeQueue } from './session/challengeQueue';
import { Challenges } from './session/challenges';
import { Credentials } from './session/credentials';
import { FlowNotifier } from './session/flowNotifier';
import { RunLifecycle } from './session/runLifecycle';
import { appendBounded, initialState, progressOf, queueWouldOverflow, type SessionState } from './session/state';
import { UserRestrictions } from './session/userRestrictions';

/** The session ends after this time without requests. The next request starts it again. */
const IDLE_MS = 5 * 60_000;
/** Page size of the API's lists. */
const PAGE_SIZE = 50;

/** The failure returned when the queue is full. A decision retries the request. */
const QUEUE_FULL: ApiFailure = {
  code: 0,
  name: 'ChallengeQueueFull',
  status: 0,
  endpoint: '',
  kind: 'attention',
  remedy: "let the user approve what is pending, or cancel some of the user's flows; then retry",
  tainted: false,
};

/**
 * The session of one end user: it holds the user's tokens, challenges and restrictions, and makes all calls with the
 * user's token for all flows of the user. Flows send requests by signal, and the session responds by signal. Webhooks
 * report the ends of challenges (docs/architecture.md#the-session-of-a-user).
 */
export async function userSession(start: SessionStart<SessionState>): Promise<void> {
  const session = new Session(start);
  if ((await session.run()) === 'idle') return;
  await continueAsNew<typeof userSession>({ ...start, carried: session.state });
}

class Session {
  readonly state: SessionState;
  private readonly entity: string;
  private readonly lifecycle = new RunLifecycle();
  private readonly notifier: FlowNotifier;
  private readonly restrictions: UserRestrictions;
  private readonly credentials: Credentials;
  private readonly challenges: Challenges;
  private readonly challengeQueue: ChallengeQueue;
  /** Signals may arrive before `run` begins. */
  private running = false;

  /** Registers the handlers before the first await. */
  constructor(start: SessionStart<SessionState>) {
    // A run of an earlier version may have passed on fewer fields.
    const state = (this.state = { ...initialState(start), ...start.carried });
    const entity = (this.entity = start.entity);
    const { lifecycle } = this;
    const notifier = (this.notifier = new FlowNotifier(state, lifecycle));
    const restrictions = (this.restrictions = new UserRestrictions(state, lifecycle, notifier, entity));
    const credentials = (this.credentials = new Credentials(start, state, lifecycle, restrictions));
    const challenges = (this.challenges = new Challenges(state, lifecycle, credentials, notifier, entity));
    this.challengeQueue = new ChallengeQueue(state, lifecycle, credentials, restrictions, challenges, notifier, entity);
    handleApprovalCredentials(new ChallengeCredentialsSource(state, lifecycle, credentials, restrictions, entity));
    setHandler(sessionProgressQuery, () => progressOf(state));
    setHandler(sessionRequestSignal, (request) => this.receive(request));
    setHandler(challengeUpdateSignal, (update: ChallengeUpdate) =>
      challenges.handleUpdate(update, this.challengeQueue.hasPending),
    );
  }

  async run(): Promise<'idle' | 'historyFull'> {
    const { lifecycle, state } = this;
    const isWaiting = () => state.requests.length > 0 || state.open.length > 0;
    this.restrictions.resume();
    this.challenges.resume();
    this.running = true;
    for (const request of state.requests.slice()) this.dispatch(request);
    this.challengeQueue.resume();
    lifecycle.spawn(() => this.challengeQueue.processQueue());
    lifecycle.spawn(() => this.challengeQueue.watchHolder());
    lifecycle.spawn(() => this.challengeQueue.watchEarlyUpdates());
    lifecycle.spawn(() => this.credentials.renewWhenDue(isWaiting));
    return lifecycle.untilEnd(
      () => !isWaiting() && !lifecycle.busy,
      () => Math.max(IDLE_MS, this.credentials.keepAliveMs, this.challengeQueue.keepAliveMs),
    );
  }

  private receive(request: SessionRequest): void {
    const { state } = this;
    if (state.seenRequestIds.includes(request.id)) return;
    appendBounded(state, 'seenRequestIds', request.id);
    const isQueueFull = request.operation.type === 'openChallenge' && queueWouldOverflow(state, request);
    state.requests.push(request);
    if (isQueueFull) return this.notifier.respond(request, { failure: QUEUE_FULL });
    if (state.restriction) this.notifier.notifyRestriction(request.flow, state.restriction);
    if (this.running && !this.lifecycle.draining) this.dispatch(request);
  }

  private dispatch(request: SessionRequest): void {
    const { operation } = request;
    const { entity, challengeQueue, challenges, credentials, restrictions } = this;
    const api = apiActivities(entity);
    switch (operation.type) {
      case 'openChallenge':
        return challengeQueue.notifyWaiting();
      case 'awaitChallengeEnd':
        return challenges.follow(operation.challengeId);
      case 'withdraw':
        return this.runDetached(request, () => challengeQueue.withdraw(operation.requestId));
      case 'releaseChallenge':
        return this.runDetached(request, async () => challenges.release(operation.challengeId));
      case 'login':
        return this.runDetached(request, async () => credentials.login(operation.tokens));
      case 'refreshChallenge':
        return this.runDetached(request, () => challenges.refresh(operation.challengeId));
      case 'refreshUser':
        return this.runDetached(request, () => restrictions.refresh());
      case 'renewTokens':
        return this.runDetached(request, () => credentials.renew());
      case 'findChallenge':
        return this.respondWith(request, () =>
          this.lifecycle.runToCompletion(() => challengeQueue.findChallenge(operation.challengeRequest, request.flow)),
        );
      case 'readUser':
        return this.respondWith(request, () =>
          this.lifecycle.runToCompletion(() => api.readUser(this.state.auth.userId)),
        );
      case 'listWallets':
        return this.respondWith(request, () => this.lifecycle.runToCompletion(() => this.listWallets()));
      case 'followTransaction':
        return this.respondWith(request, () =>
          credentials.call((auth) => api.followUserTransaction(auth, operation.id, { returnOnStuck: operation.stuck })),
        );
    }
  }

  /** Carries out an operation that has no response. */
  private runDetached(request: SessionRequest, work: () => Promise<void>): void {
    this.notifier.removeRequest(request.id);
    this.lifecycle.spawn(() => this.lifecycle.runToCompletion(work));
  }

  /** Responds with the result of `work`. If the run drains first, the request stays in the list for the next run. */
  private respondWith(request: SessionRequest, work: () => Promise<unknown>): void {
    this.lifecycle.spawn(async () => {
      try {
        this.notifier.respond(request, { value: await work() });
      } catch (error) {
        const failure = apiFailure(error);
        if (!failure) throw error;
        this.notifier.respond(request, { failure });
      }
    });
  }

  private async listWallets(): Promise<WalletFacts[]> {
    const api = apiActivities(this.entity);
    const all: WalletFacts[] = [];
    for (;;) {
      const page = await this.credentials.call((auth) => api.listUserWallets(auth, all.at(-1)?.id));
      all.push(...page);
      if (page.length < PAGE_SIZE) return all;
    }
  }
}
