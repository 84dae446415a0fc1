import { CancellationScope, condition, isCancellation, uuid4, workflowInfo } from '@temporalio/workflow';
import type { UserFacts, WalletFacts } from '../../activities';
import type { EffectRef } from '../../src/domain/effect';
import { readForm, text } from '../../src/domain/forms';
import { numberedMessageForm, unreadableResponse } from '../../src/domain/messageForms';
import type { ExpectedTransaction } from '../../src/domain/sentTransaction';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { FollowUntil } from '../../src/domain/transactionState';
import type {
  ChallengeEnd,
  ChallengeFacts,
  ChallengeRequest,
  LoginTokens,
  NumberedMessage,
  SentChallengeRequest,
  SessionMessage,
  SessionOperation,
  SessionRequest,
  UserAuth,
  UserRestriction,
} from '../../src/domain/userSession';
import { flowQueueActivities, localActivities } from './activities';
import { SessionFailure, SessionTimeout } from './failure';
import type { Flow } from './flow';
import { MessageOrder } from './messageOrder';
import { sessionMessageSignal } from './messages';
import { onSignal, warnDropped } from './receive';
import { RESPONSE_FORMS } from './sessionResponses';

/** A request to the session without a response yet. Several callers may wait for the one response. */
interface PendingRequest {
  /** A session that is lost, or the run before a reset, may have sent it to the API. */
  mayBeSent?: true;
  readonly id: string;
  readonly operation: SessionOperation;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** The run of the session that received it; undefined while it is being sent. */
  sessionRunId?: string | undefined;
  /** The run of the flow that sent it. After a reset, it may be an earlier run. */
  runId?: string;
  response?: Extract<SessionMessage, { id: string }>;
}

/** A login in progress, for all requests that wait for it. */
interface Reauthentication {
  scope: CancellationScope;
  waiting: Set<PendingRequest>;
  result?: { error?: unknown };
}

/**
 * A flow's connection to the session of its user, which makes all calls with the user's token. A request is a signal
 * with an id, and so is the response. Waiting adds nothing to the history. If the session is lost, the client starts it
 * again, with the requests that have no response yet. Create one client per flow
 * (docs/architecture.md#the-session-of-a-user, docs/architecture.md#a-session-that-is-lost).
 */
export class SessionClient {
  /**
   * Asks the user to log in again; all waiting requests share one login. Undefined in a flow that cannot ask for a
   * login: its requests wait until another flow of the user does.
   */
  reauthenticate: (() => Promise<LoginTokens>) | undefined;
  /** Requests without a response, by id. */
  private readonly pending = new Map<string, PendingRequest>();
  /**
   * Responses that arrive before their request: a retried workflow task sends its requests again, with the same ids.
   */
  private readonly earlyResponses = new Map<string, PendingRequest['response']>();
  /** Requests that stay open after a wait for them has ended, so that a later wait can join them. By operation. */
  private readonly sharedRequests = new Map<string, PendingRequest>();
  private sessionId = '';
  /** The run of the session that received the latest request. */
  private sessionRunId: string | undefined;
  private isWatching = false;
  /** The requests that opened challenges, by the id of the challenge. */
  private readonly opened = new Map<string, SentChallengeRequest>();
  /** The effects for which the flow wants no further challenge, by `nameOf`. */
  private readonly withdrawn = new Set<string>();
  private currentRestriction: UserRestriction | undefined;
  private readonly restrictions = new MessageOrder();
  private reauthentication: Reauthentication | undefined;

  constructor(
    private readonly flow: Flow,
    private auth: UserAuth,
  ) {
    onSignal(
      sessionMessageSignal,
      numberedMessageForm,
      (message) => this.handleNumbered(message),
      (message, problem) => this.handleUnreadable(message, problem),
    );
  }

  /** Workflow id of the session; empty before the first request. */
  get sessionWorkflowId(): string {
    return this.sessionId;
  }

  /** Why the user cannot approve anything now; undefined if nothing prevents it. */
  get restriction(): UserRestriction | undefined {
    return this.currentRestriction;
  }

  /**
   * Opens a challenge as soon as no other challenge of the user is open. A cancellation withdraws the request. The call
   * then returns the challenge if it was opened anyway, or throws the failure `Withdrawn`.
   * @param renewUntil the session replaces the challenge if it expires before this time, in epoch milliseconds;
   *   undefined: always
   * @throws SessionFailure
   */
  async openChallenge(challengeRequest: ChallengeRequest, renewUntil?: number): Promise<ChallengeFacts> {
    this.withdrawn.delete(nameOf(challengeRequest.effect));
    const request = await this.submit({
      type: 'openChallenge',
      challengeRequest,
      ...(renewUntil !== undefined && { renewUntil }),
    });
    const { body: _, ...sent } = challengeRequest;
    return this.remember(sent, await this.awaitOpening(request, challengeRequest.effect));
  }

  private async awaitOpening(request: PendingRequest, effect: EffectRef): Promise<ChallengeFacts> {
    try {
      return await this.awaitResponse(request);
    } catch (error) {
      if (error instanceof SessionFailure) throw error;
      return this.flow
        .nonCancellable(async () => {
          await this.withdrawChallenge(effect);
          // Needs no login: the session abandons a request that waits for tokens.
          await condition(() => request.response !== undefined);
          return this.unwrap<ChallengeFacts>(request);
        })
        .catch((failure: unknown) => {
          // If the user did not log in, the flow reports that error instead, unless there may be a challenge.
          const isUnknown = failure instanceof SessionFailure && failure.failure.tainted;
          throw isCancellation(error) || isUnknown ? failure : error;
        });
    }
  }

  /** Makes one lookup of the challenge that a request with an unknown outcome opened. @throws SessionFailure */
  async findChallenge(sent: SentChallengeRequest): Promise<ChallengeFacts | undefined> {
    return this.remember(sent, await this.request<ChallengeFacts | undefined>({ type: 'findChallenge', sent }));
  }

  /**
   * Waits until a challenge, or the one that replaced it, is complete, failed or expired. A cancellation ends the wait,
   * but not the challenge.
   */
  awaitChallengeEnd(
    { id, type }: Pick<ChallengeFacts, 'id' | 'type'>,
    options: { untilReadable?: true } = {},
  ): Promise<ChallengeEnd> {
    const opened = this.opened.get(id);
    const challenge = { challengeId: id, challengeType: type, ...(opened && { opened }) };
    const operation = { type: 'awaitChallengeEnd', ...challenge, ...options } as const;
    return this.requestShared(`ended ${id} ${options.untilReadable}`, operation);
  }

  /** The flow wants no further challenge for this effect. One that exists may still be approved. */
  async withdrawChallenge(effect: EffectRef): Promise<void> {
    this.withdrawn.add(nameOf(effect));
    await this.send({ type: 'withdraw', effect });
  }

  /** Abandons a challenge: the session may open the next one. */
  async releaseChallenge(challengeId: string): Promise<void> {
    await this.send({ type: 'releaseChallenge', challengeId });
  }

  /** Asks the session to read the challenge now, because the user's app reported a problem with it. */
  async refreshChallenge(challengeId: string): Promise<void> {
    await this.send({ type: 'refreshChallenge', challengeId });
  }

  /** Asks the session to read the user now, because a restriction may have begun or ended. */
  async refreshUser(): Promise<void> {
    await this.send({ type: 'refreshUser' });
  }

  /** Asks the session to renew the tokens of a login, because the API refused the user's token or key. */
  async renewTokens(): Promise<void> {
    await this.send({ type: 'renewTokens' });
  }

  /** Passes the tokens of a new login to the session. @param tokens sealed for the session's workflow id */
  async login(tokens: LoginTokens): Promise<void> {
    this.auth = { method: 'login', userId: this.auth.userId, tokens };
    this.currentRestriction = undefined;
    await this.send({ type: 'login', tokens });
  }

  readUser(): Promise<UserFacts> {
    return this.request({ type: 'readUser' });
  }

  listWallets(): Promise<WalletFacts[]> {
    return this.request({ type: 'listWallets' });
  }

  /**
   * Waits until a transaction is in one of the states of `until`, or reads as another transfer than expected.
   * @throws SessionTimeout after `timeoutMs`; a second call waits for the same response
   */
  followTransaction(
    id: string,
    {
      timeoutMs,
      ...options
    }: { until: FollowUntil; expected: ExpectedTransaction; untilReadable?: true; timeoutMs?: number },
  ): Promise<TransactionFacts> {
    const operation = { type: 'followTransaction', id, ...options } as const;
    return this.requestShared(`transaction ${id} ${options.until} ${options.untilReadable}`, operation, timeoutMs);
  }

  private async request<T>(operation: SessionOperation): Promise<T> {
    return this.awaitResponse(await this.submit(operation));
  }

  /** Joins the same request if it is still open. A response that nobody waited for is out of date. */
  private async requestShared<T>(key: string, operation: SessionOperation, timeoutMs?: number): Promise<T> {
    let request = this.sharedRequests.get(key);
    if (!request || request.response) {
      request = await this.submit(operation);
      this.sharedRequests.set(key, request);
    }
    try {
      return await this.awaitResponse<T>(request, timeoutMs);
    } finally {
      if (request.response && this.sharedRequests.get(key) === request) this.sharedRequests.delete(key);
    }
  }

  private async submit(operation: SessionOperation): Promise<PendingRequest> {
    // The id is the same in a replay and different after a reset.
    const request: PendingRequest = { id: uuid4(), operation, sentAt: Date.now() };
    request.response = this.earlyResponses.get(request.id);
    if (!this.earlyResponses.delete(request.id)) this.pending.set(request.id, request);
    const { runId, firstExecutionRunId } = workflowInfo();
    if (runId !== firstExecutionRunId) request.mayBeSent = true;
    await this.deliver(request);
    return request;
  }

  private async deliver(request: PendingRequest, options: Pick<SessionRequest, 'resent'> = {}): Promise<void> {
    const { id, sentAt, operation, mayBeSent } = request;
    const { runId, sessionRunId } = await this.send(operation, {
      id,
      sentAt,
      ...(mayBeSent && { mayBeSent }),
      ...options,
    });
    // The run of the first request, for `perform`.
    request.runId ??= runId;
    request.sessionRunId = sessionRunId;
    this.noteRun(sessionRunId);
    this.watch();
  }

  /** Sends the signal even if the flow is cancelled in the meantime. @returns the runs of the flow and of the session */
  private async send(
    operation: SessionOperation,
    options: Partial<SessionRequest> = {},
  ): Promise<{ runId: string; sessionRunId: string }> {
    const { workflowId: flow, firstExecutionRunId: firstRunId } = workflowInfo();
    const request = { flow, firstRunId, id: uuid4(), sentAt: Date.now(), operation, ...options };
    const sent = await this.flow.nonCancellable(() => localActivities.signalSession(this.auth, request));
    this.sessionId = sent.session;
    if (!('id' in options)) this.noteRun(sent.sessionRunId);
    return sent;
  }

  /** Another run of the session has the latest request: the earlier run may be lost with the others. */
  private noteRun(sessionRunId: string): void {
    if (this.sessionRunId === sessionRunId) return;
    this.sessionRunId = sessionRunId;
    this.restrictions.addRun(sessionRunId);
    void this.resend((runId) => runId !== sessionRunId);
  }

  /** Notices when the session is lost while it has requests of this flow. One poll, as long as the session runs. */
  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    void this.flow.nonCancellable(async () => {
      const isOpen = ({ sessionRunId }: PendingRequest) => sessionRunId !== undefined;
      const { watchSession } = flowQueueActivities(this.flow.start.entity);
      while ([...this.pending.values()].some(isOpen)) {
        const watched = this.sessionRunId!;
        await watchSession(this.sessionId, watched);
        await this.resend((runId) => runId === watched);
      }
      this.isWatching = false;
    });
  }

  /**
   * Sends the requests again that a lost run of the session received, with the same ids. A run that has only continued as
   * new knows them, and drops them.
   */
  private async resend(isLost: (sessionRunId: string) => boolean): Promise<void> {
    const lost = [...this.pending.values()].filter(({ sessionRunId: id }) => id !== undefined && isLost(id));
    if (lost.length === 0) return;
    const isQueued = this.currentRestriction?.reason === 'otherChallenge';
    // The new run says what prevents the user.
    this.setRestriction(undefined);
    for (const request of lost) request.sessionRunId = undefined;
    for (const request of lost) {
      if (request.response) continue;
      const effect = effectOf(request.operation);
      if (!isQueued) request.mayBeSent = true;
      await this.deliver(request, {
        resent: effect && this.withdrawn.has(nameOf(effect)) ? { withdrawn: true } : {},
      });
    }
  }

  /** Remembers which request opened a challenge. */
  private remember<C extends ChallengeFacts | undefined>(sent: SentChallengeRequest, challenge: C): C {
    if (challenge) this.opened.set(challenge.id, sent);
    return challenge;
  }

  private setRestriction(restriction: UserRestriction | undefined): void {
    this.currentRestriction = restriction;
    this.flow.showRestriction(restriction);
  }

  private async awaitResponse<T>(request: PendingRequest, timeoutMs?: number): Promise<T> {
    while (!request.response) {
      const isDone = () => request.response !== undefined || this.mustReauthenticate();
      const inTime = timeoutMs === undefined ? condition(isDone) : condition(isDone, timeoutMs);
      if ((await inTime) === false) throw new SessionTimeout();
      if (!request.response && this.mustReauthenticate()) await this.awaitReauthentication(request);
    }
    return this.unwrap(request);
  }

  /**
   * Returns the value of a response. The request no longer waits for a login. If no other request waits for the login,
   * the login is cancelled.
   */
  private unwrap<T>(request: PendingRequest): T {
    const { reauthentication } = this;
    if (reauthentication?.waiting.delete(request) && reauthentication.waiting.size === 0)
      reauthentication.scope.cancel();
    const response = request.response!;
    if ('failure' in response) throw new SessionFailure({ ...response.failure, runId: request.runId });
    const { value, problem } = readForm(RESPONSE_FORMS[request.operation.type], response.value);
    if (problem === undefined) return value as T;
    const { failure } = unreadableResponse(response.id, problem);
    throw new SessionFailure({ ...failure, runId: request.runId });
  }

  private mustReauthenticate(): boolean {
    return this.currentRestriction?.reason === 'loggedOut' && this.reauthenticate !== undefined;
  }

  /**
   * Waits for the login or for the response, whichever is first: a webhook reports the end of a challenge without any
   * tokens. A timeout or cancel of this wait does not end the login, so a later wait joins it and starts no second one.
   */
  private async awaitReauthentication(request: PendingRequest): Promise<void> {
    const reauthentication = (this.reauthentication ??= this.startReauthentication());
    reauthentication.waiting.add(request);
    await condition(() => reauthentication.result !== undefined || request.response !== undefined);
    if (!request.response && reauthentication.result && 'error' in reauthentication.result)
      throw reauthentication.result.error;
  }

  private startReauthentication(): Reauthentication {
    const reauthentication: Reauthentication = { scope: new CancellationScope(), waiting: new Set() };
    const finish = (result: Reauthentication['result']) => {
      reauthentication.result = result;
      this.reauthentication = undefined;
    };
    void this.flow
      .nonCancellable(async () => {
        reauthentication.scope = new CancellationScope();
        await this.login(await reauthentication.scope.run(this.reauthenticate!));
      })
      .then(
        () => finish({}),
        (error: unknown) => finish({ error }),
      );
    return reauthentication;
  }

  /** A request must not wait for ever for a response that has arrived. */
  private handleUnreadable(message: unknown, problem: string): void {
    const { value: id } = readForm(text, (message as { id?: unknown } | null | undefined)?.id);
    if (id !== undefined) this.handleResponse(unreadableResponse(id, problem));
  }

  private handleNumbered(message: NumberedMessage): void {
    const isNew = this.restrictions.take(message.from);
    if (!('restriction' in message)) this.handleResponse(message);
    else if (isNew) this.setRestriction(message.restriction ?? undefined);
    else warnDropped(sessionMessageSignal.name, 'a restriction that has arrived before');
  }

  private handleResponse(response: Extract<SessionMessage, { id: string }>): void {
    const request = this.pending.get(response.id);
    if (request) request.response = response;
    // A response to a run before a reset is never used: this run has other ids.
    else this.earlyResponses.set(response.id, response);
    this.pending.delete(response.id);
  }
}

/** The effect whose challenge a request is about. */
function effectOf(operation: SessionOperation): EffectRef | undefined {
  switch (operation.type) {
    case 'openChallenge':
      return operation.challengeRequest.effect;
    case 'awaitChallengeEnd':
      return operation.opened?.effect;
    default:
      return undefined;
  }
}

function nameOf({ step, ordinal }: EffectRef): string {
  return `${step}.${ordinal}`;
}
