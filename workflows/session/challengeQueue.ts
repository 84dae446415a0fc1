import { CancellationScope, condition } from '@temporalio/workflow';
import { API_ACTIVITIES } from '../../src/domain/activityTable';
import type { ApiFailure } from '../../src/domain/apiFailure';
import { CHALLENGE_CALLS } from '../../src/domain/challengeCalls';
import { CODES } from '../../src/domain/codes';
import { KEY_MAX_AGE_MS } from '../../src/domain/retryRules';
import { type ChallengeFacts, type ChallengeRequest, LOCK_CODES, type UserAuth } from '../../src/domain/userSession';
import { apiActivities, flowQueueActivities } from '../kit/activities';
import { apiFailure, SessionFailure } from '../kit/failure';
import { lookUp } from '../kit/lookUp';
import type { Challenges } from './challenges';
import { Abandoned, type Credentials } from './credentials';
import type { FlowNotifier } from './flowNotifier';
import { Draining, type RunLifecycle } from './runLifecycle';
import {
  appendBounded,
  type ChallengeSnapshot,
  effectKey,
  OTHER_CHALLENGE,
  queuedBehindOthers,
  requestsFor,
  type SessionRequestOf,
  type SessionState,
} from './state';
import type { UserRestrictions } from './userRestrictions';

type QueuedRequest = SessionRequestOf<'openChallenge'>;

/** How long a sent request can still be matched by comparing the challenges before and after. */
const SNAPSHOT_RETENTION_MS = 14 * 24 * 60 * 60_000;

/**
 * Opens challenges, one at a time. The next request waits until the open challenge has ended, its flow has released it,
 * or its flow no longer runs. So a challenge that is open after a request, and was not open before, belongs to that
 * request (docs/architecture.md#the-session-of-a-user).
 */
export class ChallengeQueue {
  /** The request in progress. */
  private current: QueuedRequest | undefined;
  /** Whether a request is being sent, or the open challenges are being listed. */
  private isApiLocked = false;

  constructor(
    private readonly state: SessionState,
    private readonly lifecycle: RunLifecycle,
    private readonly credentials: Credentials,
    private readonly restrictions: UserRestrictions,
    private readonly challenges: Challenges,
    private readonly notifier: FlowNotifier,
    private readonly entity: string,
  ) {}

  /** Whether a webhook for an unknown challenge may belong to a pending request. */
  get hasPending(): boolean {
    return requestsFor(this.state, 'openChallenge').length > 0;
  }

  /**
   * How long the session must stay alive although no request is pending, because a decision may ask for another lookup
   * of a sent request.
   */
  get keepAliveMs(): number {
    const remainingMs = Object.values(this.state.snapshots).map(
      ({ taintedAt = 0 }) => taintedAt + SNAPSHOT_RETENTION_MS - Date.now(),
    );
    return Math.max(0, ...remainingMs);
  }

  /** Completes the withdrawals that the previous run did not complete. */
  resume(): void {
    for (const request of requestsFor(this.state, 'openChallenge')) {
      if (request.withdrawn) this.lifecycle.spawn(() => this.complete(request));
    }
  }

  /** Processes requests until the run ends. */
  async processQueue(): Promise<void> {
    for (;;) {
      await condition(() => !this.lifecycle.draining && this.nextRequest() !== undefined);
      // A signal in the same activation may have changed that.
      const request = this.nextRequest();
      if (request) await this.process(request);
    }
  }

  /** Parks early updates as soon as there is no pending request to which they could belong. */
  async watchEarlyUpdates(): Promise<void> {
    for (;;) {
      await condition(() => this.state.earlyUpdates.length > 0 && !this.hasPending);
      this.challenges.replayEarlyUpdates(false);
    }
  }

  /** Tells flows that their request waits for the challenge of another flow. */
  notifyWaiting(): void {
    for (const { flow } of queuedBehindOthers(this.state)) {
      if (!this.state.notifiedFlows.includes(flow)) this.notifier.notifyRestriction(flow, OTHER_CHALLENGE);
    }
  }

  /** While other flows wait, polls whether the flow that holds the open challenge still runs. */
  async watchHolder(): Promise<void> {
    const isAwaited = () => queuedBehindOthers(this.state).length > 0;
    for (;;) {
      await condition(isAwaited);
      const [open] = this.state.open;
      // The challenge may have ended in the same activation.
      if (!open) continue;
      const watch = new CancellationScope();
      this.lifecycle.spawn(() =>
        watch.run(async () => {
          await flowQueueActivities(this.entity).followFlowEnd(open.holder);
          this.notifier.dropFlow(open.holder);
        }),
      );
      await condition(() => this.state.open[0] !== open || !isAwaited());
      watch.cancel();
    }
  }

  /**
   * Withdraws a request. Responds immediately if nothing was sent; otherwise, when it is known what the request
   * created.
   */
  async withdraw(id: string): Promise<void> {
    const request = requestsFor(this.state, 'openChallenge').find((each) => each.id === id);
    if (!request) return;
    request.withdrawn = true;
    if (request !== this.current) await this.complete(request);
  }

  /**
   * Looks for the challenge that a request with this effect opened. If such a request is in progress, waits for it
   * first.
   * @param flow workflow id of the flow that requested it, which holds the challenge from now on
   */
  async findChallenge(challengeRequest: ChallengeRequest, flow: string): Promise<ChallengeFacts | undefined> {
    const effect = effectKey(challengeRequest);
    await condition(() => !this.current || effectKey(this.current.operation.challengeRequest) !== effect);
    const found = this.openedBy(effect) ?? (await this.findNewChallenge(challengeRequest));
    if (found && !this.recordChallenge(effect, found, flow)) {
      this.challenges.follow(found.id);
      this.notifyWaiting();
    }
    return found;
  }

  /** A flow that was reset may request a challenge that it has opened before. Such a request goes first. */
  private nextRequest(): QueuedRequest | undefined {
    const requests = requestsFor(this.state, 'openChallenge').filter(({ withdrawn }) => !withdrawn);
    const alreadyOpened = requests.find(({ operation }) => this.openedBy(effectKey(operation.challengeRequest)));
    return alreadyOpened ?? (this.state.open.length === 0 ? requests[0] : undefined);
  }

  private async process(request: QueuedRequest): Promise<void> {
    this.current = request;
    if (this.state.notifiedFlows.includes(request.flow))
      this.notifier.notifyRestriction(request.flow, this.state.restriction);
    await this.complete(request);
    this.current = undefined;
    this.challenges.replayEarlyUpdates(this.hasPending);
  }

  /**
   * Responds with the challenge that the request opened. If the run drains first, the request stays for the next run.
   */
  private async complete(request: QueuedRequest): Promise<void> {
    const effect = effectKey(request.operation.challengeRequest);
    try {
      const challenge = await this.lifecycle.runToCompletion(() => this.openOrRecover(request));
      const hasEnded = this.recordChallenge(effect, challenge, request.flow);
      this.notifier.respond(request, { value: challenge });
      if (!hasEnded) this.challenges.follow(challenge.id);
      this.notifyWaiting();
    } catch (error) {
      if (error instanceof Draining) return;
      const failure = apiFailure(error);
      if (!failure) throw error;
      this.notifier.respond(request, { failure });
    }
  }

  /** Records the challenge of an effect. @returns whether the challenge has ended */
  private recordChallenge(effect: string, challenge: ChallengeFacts, flow: string): boolean {
    const { id, type } = challenge;
    delete this.state.snapshots[effect];
    if (!this.openedBy(effect)) appendBounded(this.state, 'opened', { effect, challenge });
    const hasEnded = this.state.ended.some((ended) => ended.id === id);
    if (!hasEnded && !this.state.open.some((open) => open.id === id)) this.state.open.push({ id, type, holder: flow });
    return hasEnded;
  }

  private async openOrRecover(request: QueuedRequest): Promise<ChallengeFacts> {
    const { challengeRequest } = request.operation;
    const effect = effectKey(challengeRequest);
    const opened = this.openedBy(effect);
    if (opened) return opened;
    try {
      if (!request.withdrawn) return await this.openChallenge(request);
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
    }
    const isSent = this.state.snapshots[effect]?.tainted === true;
    const recovered = isSent && this.isStillPending(request) && (await this.recoverChallenge(challengeRequest, true));
    if (recovered) return recovered;
    // A closed flow may be reset, and then looks for the request that it sent.
    if (!isSent || this.isStillPending(request)) delete this.state.snapshots[effect];
    throw new SessionFailure(WITHDRAWN);
  }

  private async openChallenge(request: QueuedRequest): Promise<ChallengeFacts> {
    const { challengeRequest } = request.operation;
    const effect = effectKey(challengeRequest);
    const isAbandoned = () => request.withdrawn === true || !this.isStillPending(request);
    const api = apiActivities(this.entity);
    for (;;) {
      // Kept after an attempt with an unknown outcome: the challenge that it may have opened is not in this snapshot.
      const snapshot = (this.state.snapshots[effect] ??= {
        openIds: (await this.credentials.call((auth) => api.listOpenChallenges(auth), isAbandoned)).map(({ id }) => id),
        takenAt: Date.now(),
        call: challengeRequest.call,
      });
      if (snapshot.tainted && !canResend(snapshot)) {
        const recovered = await this.recoverChallenge(challengeRequest, false);
        if (recovered) return recovered;
        throw new SessionFailure({ ...OUTCOME_UNKNOWN, endpoint: challengeRequest.call });
      }
      try {
        const send = (auth: UserAuth) => this.withApiLock(() => this.send(request, auth, snapshot, isAbandoned));
        return await this.credentials.call(send, isAbandoned);
      } catch (error) {
        const failure = apiFailure(error);
        if (!failure) throw error;
        // A refusal says nothing about earlier attempts.
        if (snapshot.tainted || failure.code === CODES.idempotencyKeyUsed) {
          const recovered = await this.recoverChallenge(challengeRequest, false);
          if (recovered) return recovered;
        } else {
          delete this.state.snapshots[effect];
        }
        const lock = LOCK_CODES[failure.code];
        if (!lock) throw snapshot.tainted ? new SessionFailure({ ...failure, tainted: true }) : error;
        await this.restrictions.awaitUnlock(lock, isAbandoned);
        if (isAbandoned()) throw new Abandoned();
        if (this.lifecycle.draining) throw new Draining();
      }
    }
  }

  private async send(
    { flow, operation: { challengeRequest } }: QueuedRequest,
    auth: UserAuth,
    snapshot: ChallengeSnapshot,
    isAbandoned: () => boolean,
  ): Promise<ChallengeFacts> {
    // A flow that had to wait is notified that its turn has come. If that fails, the flow has closed and its request
    // was dropped.
    await this.notifier.awaitDelivery(flow);
    if (isAbandoned()) throw new Abandoned();
    const { call, effect, params, body } = challengeRequest;
    try {
      const id = await apiActivities(this.entity)[call](effect, auth, { params, body });
      const challenge = { id, type: CHALLENGE_CALLS[call].type, status: 'PENDING', correlationIds: [] };
      appendBounded(this.state, 'opened', { effect: effectKey(challengeRequest), challenge });
      return challenge;
    } catch (error) {
      if (apiFailure(error)?.tainted) Object.assign(snapshot, { tainted: true, taintedAt: Date.now() });
      throw error;
    }
  }

  /**
   * Runs one call at a time. A list of challenges that is read while another request is being sent might already
   * include the challenge that the other request opens.
   */
  private async withApiLock<T>(work: () => Promise<T>): Promise<T> {
    while (this.isApiLocked) await condition(() => !this.isApiLocked);
    this.isApiLocked = true;
    try {
      return await work();
    } finally {
      this.isApiLocked = false;
    }
  }

  /**
   * Looks several times for the challenge that earlier attempts opened.
   * @param isPatient see `lookUp`
   * @throws SessionFailure if the lookup fails: it is unknown whether a challenge was opened
   */
  private async recoverChallenge(
    challengeRequest: ChallengeRequest,
    isPatient: boolean,
  ): Promise<ChallengeFacts | undefined> {
    try {
      return await lookUp(() => this.findNewChallenge(challengeRequest), isPatient);
    } catch (error) {
      const failure = apiFailure(error);
      throw failure ? new SessionFailure({ ...failure, kind: 'resolve', tainted: true }) : error;
    }
  }

  /**
   * Returns the open challenge that was not open before the request was sent, has its type, and belongs to no other
   * request. Ignores challenges known only from a webhook: a late webhook may report one that ended before the request.
   * @throws SessionFailure if several match: something else opens challenges for this user
   */
  private async findNewChallenge(request: ChallengeRequest): Promise<ChallengeFacts | undefined> {
    const snapshot = this.state.snapshots[effectKey(request)];
    if (!snapshot) return undefined;
    const api = apiActivities(this.entity);
    const listed = await this.credentials.call((auth) => this.withApiLock(() => api.listOpenChallenges(auth)));
    const knownIds = new Set([...snapshot.openIds, ...this.state.opened.map(({ challenge }) => challenge.id)]);
    // A challenge that opened only after a later request of this type was sent may belong to that later request.
    const laterSnapshots = Object.values(this.state.snapshots).filter(
      ({ tainted, call, takenAt }) =>
        tainted && call === request.call && takenAt > (snapshot.taintedAt ?? snapshot.takenAt),
    );
    const [found, ...more] = listed.filter(
      ({ id, type }) =>
        type === CHALLENGE_CALLS[request.call].type &&
        !knownIds.has(id) &&
        laterSnapshots.every(({ openIds }) => openIds.includes(id)),
    );
    if (more.length > 0) throw new SessionFailure({ ...AMBIGUOUS, endpoint: request.call });
    return found;
  }

  private openedBy(effect: string): ChallengeFacts | undefined {
    return this.state.opened.find((each) => each.effect === effect)?.challenge;
  }

  /** Whether the request still waits for a response. Requests of closed flows do not. */
  private isStillPending(request: QueuedRequest): boolean {
    return this.state.requests.includes(request);
  }
}

/** Whether a request with an unknown outcome may be sent again: the API recognizes a repetition by its key. */
function canResend({ call, taintedAt = 0 }: ChallengeSnapshot): boolean {
  return API_ACTIVITIES[call].mode === 'keyed' && Date.now() - taintedAt <= KEY_MAX_AGE_MS;
}

/** The failure returned for a request that was withdrawn before it opened a challenge. */
const WITHDRAWN: ApiFailure = {
  code: 0,
  name: 'Withdrawn',
  status: 0,
  endpoint: '',
  kind: 'refused',
  remedy: 'request it again',
  tainted: false,
};

const OUTCOME_UNKNOWN: Omit<ApiFailure, 'endpoint'> = {
  code: 0,
  name: 'OutcomeUnknown',
  status: 0,
  kind: 'resolve',
  remedy: "check the user's challenges for the one that the earlier request opened",
  tainted: true,
};

const AMBIGUOUS: Omit<ApiFailure, 'endpoint'> = {
  code: 0,
  name: 'AmbiguousChallenges',
  status: 0,
  kind: 'resolve',
  remedy: 'find out which open challenge belongs to this flow; something else opens challenges for this user as well',
  tainted: true,
};
