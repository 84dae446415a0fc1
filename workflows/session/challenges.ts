import { CancellationScope } from '@temporalio/workflow';
import { CODES } from '../../src/domain/codes';
import type { ChallengeNews } from '../../src/domain/messages';
import { type ChallengeFacts, isOver } from '../../src/domain/userSession';
import { apiActivities, local } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import type { Credentials } from './credentials';
import type { Lifetime } from './lifetime';
import { closeChallenge, keep, requestsFor, type SessionState } from './state';
import type { Voice } from './voice';

/** Follows challenges to their end, which a webhook or a read tells: whichever comes first. */
export class Challenges {
  private readonly polls = new Map<string, CancellationScope>();

  constructor(
    private readonly state: SessionState,
    private readonly lifetime: Lifetime,
    private readonly credentials: Credentials,
    private readonly voice: Voice,
    private readonly entity: string,
  ) {}

  /** Goes on following what the run before was following. */
  resume(): void {
    for (const { id } of this.state.open) this.follow(id);
  }

  /** Answers the requests for its end now, or follows it until then. */
  follow(id: string): void {
    const over = this.state.ended.find((challenge) => challenge.id === id);
    if (over) return this.end(over);
    if (this.polls.has(id)) return;
    this.lifetime.spawn(async () => {
      const scope = new CancellationScope();
      this.polls.set(id, scope);
      try {
        const { entity } = this;
        this.end(
          await scope.run(() => this.credentials.call((auth) => apiActivities(entity).followChallenge(auth, id))),
        );
      } catch (error) {
        const failure = apiFailure(error);
        if (!failure) throw error;
        for (const request of this.waitingFor(id)) this.voice.answer(request, { failure });
        // One that can't be read can still be approved, and its end be told by a webhook.
        if (failure.code === CODES.challengeNotFound) this.close(id);
      } finally {
        if (this.polls.get(id) === scope) this.polls.delete(id);
      }
    });
  }

  /** Reads it now. */
  async look(id: string): Promise<void> {
    try {
      const { entity } = this;
      const challenge = await this.lifetime.hold(() =>
        this.credentials.call((auth) => apiActivities(entity).readChallenge(auth, id)),
      );
      if (isOver(challenge)) this.end(challenge);
    } catch (error) {
      if (!apiFailure(error)) throw error;
    }
  }

  /** Its flow wants nothing more of it. */
  release(id: string): void {
    this.close(id);
    if (this.waitingFor(id).length === 0) this.polls.get(id)?.cancel();
  }

  /**
   * A webhook told the end of a challenge. It is believed; told before, it is no news. One that no order of ours made, or
   * whose flow is gone, is parked.
   * @param ordering whether an order is under way that may have made it
   */
  hear(news: ChallengeNews, ordering: boolean): void {
    const { state } = this;
    if (state.ended.some(({ id }) => id === news.id)) return;
    if (state.open.some(({ id }) => id === news.id) || this.polls.has(news.id)) this.end(told(news));
    else if (!ordering) this.park(news);
    else if (!state.early.some(({ id }) => id === news.id)) keep(state, 'early', news);
  }

  /** An order was answered: what was heard too early is its end, or, with no order left, nobody's. */
  settleEarly(ordering: boolean): void {
    const { early } = this.state;
    this.state.early = [];
    for (const news of early) this.hear(news, ordering);
  }

  private end(challenge: ChallengeFacts): void {
    const { state } = this;
    if (!state.ended.some(({ id }) => id === challenge.id)) keep(state, 'ended', challenge);
    this.close(challenge.id);
    this.polls.get(challenge.id)?.cancel();
    for (const request of this.waitingFor(challenge.id)) this.voice.answer(request, { value: challenge });
  }

  private close(id: string): void {
    closeChallenge(this.state, (challenge) => challenge.id === id);
  }

  private waitingFor(id: string) {
    return requestsFor(this.state, 'ended').filter(({ ask }) => ask.challengeId === id);
  }

  private park({ notificationId, ...notification }: ChallengeNews): void {
    const kind = `challenges.${notification.type}`;
    this.lifetime.spawn(() =>
      this.lifetime.hold(() =>
        local.putInBox('parked', {
          id: notificationId,
          at: new Date().toISOString(),
          kind,
          about: `challenge ${notification.id}: no flow of its user waits for it`,
          payload: { notificationId, notificationType: kind, notification },
        }),
      ),
    );
  }
}

/** What an event tells of a challenge; one that expired is told as failed (api-facts 8). */
export function told({ id, type, status, correlationIds, errorCode }: ChallengeNews): ChallengeFacts {
  const expired = errorCode === CODES.challengeExpired;
  return {
    id,
    type,
    status: expired ? 'EXPIRED' : status,
    correlationIds,
    ...(errorCode && !expired ? { errorCode } : {}),
  };
}
