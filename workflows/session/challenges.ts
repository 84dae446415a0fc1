import { CancellationScope } from '@temporalio/workflow';
import { CODES } from '../../src/domain/codes';
import type { ChallengeUpdate } from '../../src/domain/messages';
import { type ChallengeFacts, isEnded } from '../../src/domain/userSession';
import { apiActivities, localActivities } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import type { Credentials } from './credentials';
import type { FlowNotifier } from './flowNotifier';
import type { RunLifecycle } from './runLifecycle';
import { appendBounded, removeOpenChallenges, requestsFor, type SessionState } from './state';

/** Follows challenges to their end. A poll or a webhook reports it, whichever is first. */
export class Challenges {
  private readonly polls = new Map<string, CancellationScope>();

  constructor(
    private readonly state: SessionState,
    private readonly lifecycle: RunLifecycle,
    private readonly credentials: Credentials,
    private readonly notifier: FlowNotifier,
    private readonly entity: string,
  ) {}

  /** Follows the challenges that the previous run followed. */
  resume(): void {
    for (const { id } of this.state.open) this.follow(id);
  }

  /** Polls the challenge until its end. If the end is known, responds to the requests for it now. */
  follow(id: string): void {
    const ended = this.state.ended.find((challenge) => challenge.id === id);
    if (ended) return this.finish(ended);
    if (this.polls.has(id)) return;
    this.lifecycle.spawn(async () => {
      const scope = new CancellationScope();
      this.polls.set(id, scope);
      try {
        const { entity } = this;
        this.finish(
          await scope.run(() => this.credentials.call((auth) => apiActivities(entity).followChallenge(auth, id))),
        );
      } catch (error) {
        const failure = apiFailure(error);
        if (!failure) throw error;
        for (const request of this.requestsAwaitingEnd(id)) this.notifier.respond(request, { failure });
        // A challenge that cannot be read may still be approved, and a webhook may still report its end.
        if (failure.code === CODES.challengeNotFound) this.removeOpen(id);
      } finally {
        if (this.polls.get(id) === scope) this.polls.delete(id);
      }
    });
  }

  /** Reads the challenge now. */
  async refresh(id: string): Promise<void> {
    try {
      const { entity } = this;
      const challenge = await this.lifecycle.runToCompletion(() =>
        this.credentials.call((auth) => apiActivities(entity).readChallenge(auth, id)),
      );
      if (isEnded(challenge)) this.finish(challenge);
    } catch (error) {
      if (!apiFailure(error)) throw error;
    }
  }

  /** Its flow has abandoned the challenge: the next one may be opened. */
  release(id: string): void {
    this.removeOpen(id);
    if (this.requestsAwaitingEnd(id).length === 0) this.polls.get(id)?.cancel();
  }

  /**
   * Handles a webhook that reports the end of a challenge. The session trusts it and ignores a repetition. If the
   * challenge is unknown, the webhook is kept while it may belong to a pending request, and parked otherwise.
   * @param hasQueuedRequests whether a pending request may have opened the challenge
   */
  handleUpdate(update: ChallengeUpdate, hasQueuedRequests: boolean): void {
    const { state } = this;
    if (state.ended.some(({ id }) => id === update.id)) return;
    if (state.open.some(({ id }) => id === update.id) || this.polls.has(update.id)) this.finish(challengeFacts(update));
    else if (!hasQueuedRequests) this.park(update);
    else if (!state.earlyUpdates.some(({ id }) => id === update.id)) appendBounded(state, 'earlyUpdates', update);
  }

  /** Handles the kept webhooks again, now that a request has its response. */
  replayEarlyUpdates(hasQueuedRequests: boolean): void {
    const { earlyUpdates } = this.state;
    this.state.earlyUpdates = [];
    for (const update of earlyUpdates) this.handleUpdate(update, hasQueuedRequests);
  }

  private finish(challenge: ChallengeFacts): void {
    const { state } = this;
    if (!state.ended.some(({ id }) => id === challenge.id)) appendBounded(state, 'ended', challenge);
    this.removeOpen(challenge.id);
    this.polls.get(challenge.id)?.cancel();
    for (const request of this.requestsAwaitingEnd(challenge.id)) this.notifier.respond(request, { value: challenge });
  }

  private removeOpen(id: string): void {
    removeOpenChallenges(this.state, (challenge) => challenge.id === id);
  }

  private requestsAwaitingEnd(id: string) {
    return requestsFor(this.state, 'awaitChallengeEnd').filter(({ operation }) => operation.challengeId === id);
  }

  private park({ notificationId, ...notification }: ChallengeUpdate): void {
    const type = `challenges.${notification.type}`;
    this.lifecycle.spawn(() =>
      this.lifecycle.runToCompletion(() =>
        localActivities.holdEvent('parked', {
          id: notificationId,
          at: new Date().toISOString(),
          type,
          reason: `challenge ${notification.id}: no flow of this user is waiting for it`,
          payload: { notificationId, notificationType: type, notification },
        }),
      ),
    );
  }
}

/**
 * The facts that a webhook reports. It reports an expired challenge as failed with 155121
 * (docs/api-behavior.md#webhooks).
 */
export function challengeFacts({ id, type, status, correlationIds, errorCode }: ChallengeUpdate): ChallengeFacts {
  const expired = errorCode === CODES.challengeExpired;
  return {
    id,
    type,
    status: expired ? 'EXPIRED' : status,
    correlationIds,
    ...(errorCode && !expired ? { errorCode } : {}),
  };
}
