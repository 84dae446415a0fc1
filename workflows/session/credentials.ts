import { condition, sleep, workflowInfo } from '@temporalio/workflow';
import { CODES, USER_TOKEN_REFUSALS } from '../../src/domain/codes';
import type { EffectRef } from '../../src/domain/effect';
import { type LoginTokens, type SessionStart, USER_SESSION, type UserAuth } from '../../src/domain/userSession';
import { apiActivities } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import { Draining, type RunLifecycle } from './runLifecycle';
import type { SessionState } from './state';
import type { UserRestrictions } from './userRestrictions';

/** The tokens of a login are valid for 14 days. While a flow waits, the session renews them before they expire. */
const RENEW_AFTER_MS = 10 * 24 * 60 * 60_000;
const TOKEN_LIFETIME_MS = 14 * 24 * 60 * 60_000;

/** Thrown to a request that was abandoned before it was sent. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** Makes calls with the user's token. Renews the tokens of a login: one renewal at a time, token and key as a pair. */
export class Credentials {
  private renewing: Promise<void> | undefined;

  constructor(
    private readonly start: SessionStart,
    private readonly state: SessionState,
    private readonly lifecycle: RunLifecycle,
    private readonly restrictions: UserRestrictions,
  ) {}

  /**
   * Sends one request with the user's token. If the user is disabled or logged out, or the tokens are being renewed,
   * waits until that is over.
   * @param isAbandoned whether the request is no longer wanted
   * @throws the error of `send`; `Draining`; `Abandoned`
   */
  async call<T>(send: (auth: UserAuth) => Promise<T>, isAbandoned: () => boolean = () => false): Promise<T> {
    for (let renewed = false; ;) {
      await this.awaitReady(isAbandoned);
      const { auth } = this.state;
      try {
        return await send(auth);
      } catch (error) {
        const code = apiFailure(error)?.code;
        if (code === CODES.userDisabled) {
          this.restrictions.markDisabled();
        } else if (auth.method === 'login' && code !== undefined && USER_TOKEN_REFUSALS.has(code)) {
          // Another call or a login may have replaced the tokens in the meantime.
          if (this.state.auth !== auth) continue;
          if (renewed) this.restrictions.markLoggedOut();
          else await this.renew();
          renewed = true;
        } else {
          throw error;
        }
      }
    }
  }

  /** Takes over the tokens of a new login. */
  login(tokens: LoginTokens): void {
    this.state.auth = { method: 'login', userId: this.state.auth.userId, tokens };
    this.state.tokensReceivedAt = Date.now();
    this.restrictions.lift('loggedOut');
  }

  /** Joins a renewal in progress: a second one with the same refresh token would log the user out. */
  renew(): Promise<void> {
    this.renewing ??= this.refresh().finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** Renews the tokens of a login if they are older than ten days. */
  async renewIfDue(): Promise<void> {
    if (this.state.auth.method === 'login' && Date.now() - this.state.tokensReceivedAt > RENEW_AFTER_MS)
      await this.renew();
  }

  /** Renews the tokens in time while a flow waits; runs until the run ends. */
  async renewWhenDue(isWaiting: () => boolean): Promise<void> {
    await condition(() => this.state.auth.method === 'login');
    for (;;) {
      await condition(() => !this.restrictions.has('loggedOut') && !this.restrictions.has('disabled'));
      const remainingMs = this.state.tokensReceivedAt + RENEW_AFTER_MS - Date.now();
      if (remainingMs > 0) await sleep(remainingMs);
      else await condition(isWaiting);
      if (this.state.tokensReceivedAt + RENEW_AFTER_MS <= Date.now() && isWaiting()) await this.renew();
    }
  }

  /** How long the session must live although no flow waits: while the tokens of a login are valid. */
  get keepAliveMs(): number {
    if (this.state.auth.method !== 'login' || this.restrictions.has('loggedOut')) return 0;
    return Math.max(this.state.tokensReceivedAt + TOKEN_LIFETIME_MS - Date.now(), 0);
  }

  private async awaitReady(isAbandoned: () => boolean): Promise<void> {
    const isBlocked = () =>
      this.restrictions.has('disabled') || this.restrictions.has('loggedOut') || this.renewing !== undefined;
    // A signal in the same activation may have restricted the user again.
    while (isBlocked() && !isAbandoned()) {
      if (this.lifecycle.draining) throw new Draining();
      await condition(() => !isBlocked() || isAbandoned() || this.lifecycle.draining);
    }
    if (isAbandoned()) throw new Abandoned();
  }

  private async refresh(): Promise<void> {
    const { auth } = this.state;
    if (auth.method !== 'login') return;
    const { refreshToken, deviceId } = auth.tokens;
    if (!refreshToken || deviceId === undefined) return this.restrictions.markLoggedOut();
    try {
      const tokens = await this.lifecycle.runToCompletion(() =>
        apiActivities(this.start.entity).refreshUserToken(this.nextRenewal(), auth.tokens),
      );
      // The tokens of a login that arrived in the meantime are newer.
      if (this.state.auth === auth) this.login(tokens);
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      if (failure.code === CODES.userDisabled) this.restrictions.markDisabled();
      // The refresh token is used up, even if the outcome of the renewal is unknown.
      else if (this.state.auth === auth) this.restrictions.markLoggedOut();
    }
  }

  /** The run id makes the idempotency key differ from the keys that earlier sessions of the same user have used. */
  private nextRenewal(): EffectRef {
    const { ref, keyId } = this.start;
    const ordinal = ++this.state.renewals;
    return { flow: USER_SESSION, ref: `${ref}:${workflowInfo().firstExecutionRunId}`, keyId, step: 'renew', ordinal };
  }
}
