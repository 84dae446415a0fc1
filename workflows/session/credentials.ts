import { condition, sleep, workflowInfo } from '@temporalio/workflow';
import { CODES, USER_TOKEN_REFUSALS } from '../../src/domain/codes';
import type { EffectRef } from '../../src/domain/effect';
import { type LoginTokens, type SessionStart, USER_SESSION, type UserAuth } from '../../src/domain/userSession';
import { apiActivities } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import type { Blocks } from './blocks';
import { type Lifetime, Paused } from './lifetime';
import type { SessionState } from './state';

/** A login's tokens are good for 14 days (api-facts 5) and renewed well before that, while somebody waits. */
const RENEW_AFTER_MS = 10 * 24 * 60 * 60_000;
const TOKENS_LIVE_MS = 14 * 24 * 60 * 60_000;

/** What waited to be sent is wanted no more. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** Calls with the user's token, which of a login are the session's to renew: one renewal at a time, token and key as a pair. */
export class Credentials {
  private renewing: Promise<void> | undefined;

  constructor(
    private readonly start: SessionStart,
    private readonly state: SessionState,
    private readonly lifetime: Lifetime,
    private readonly blocks: Blocks,
  ) {}

  /**
   * Sends one request of the user when it can be sent: what waits for the user to be enabled, or to log in, waits.
   * @param given up: whether the request is wanted no more
   * @throws what the activity threw; Paused; GivenUp
   */
  async call<T>(send: (auth: UserAuth) => Promise<T>, given: () => boolean = () => false): Promise<T> {
    for (let renewed = false; ;) {
      await this.ready(given);
      const { auth } = this.state;
      try {
        return await send(auth);
      } catch (error) {
        const code = apiFailure(error)?.code;
        if (code === CODES.userDisabled) {
          this.blocks.disabled();
        } else if (auth.by === 'login' && code !== undefined && USER_TOKEN_REFUSALS.has(code)) {
          // Somebody else may have renewed them meanwhile.
          if (this.state.auth !== auth) continue;
          if (renewed) this.blocks.loggedOut();
          else await this.renew();
          renewed = true;
        } else {
          throw error;
        }
      }
    }
  }

  /** New tokens from a login. */
  login(tokens: LoginTokens): void {
    this.state.auth = { by: 'login', userId: this.state.auth.userId, tokens };
    this.state.tokensSince = Date.now();
    this.blocks.lift('loggedOut');
  }

  /** One renewal, however many ask for it. A renewal whose outcome is unknown has used the refresh token up. */
  renew(): Promise<void> {
    this.renewing ??= this.refresh().finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** Renews the tokens of a login that may be about to expire. */
  async freshen(): Promise<void> {
    if (this.state.auth.by === 'login' && Date.now() - this.state.tokensSince > RENEW_AFTER_MS) await this.renew();
  }

  /** Renews the tokens in time, as long as somebody waits. */
  async keepFresh(waiting: () => boolean): Promise<void> {
    await condition(() => this.state.auth.by === 'login');
    for (;;) {
      await condition(() => !this.blocks.is('loggedOut') && !this.blocks.is('disabled'));
      const left = this.state.tokensSince + RENEW_AFTER_MS - Date.now();
      if (left > 0) await sleep(left);
      else await condition(waiting);
      if (this.state.tokensSince + RENEW_AFTER_MS <= Date.now() && waiting()) await this.renew();
    }
  }

  /** So long the session has something worth keeping, although nobody waits. */
  get keptForMs(): number {
    if (this.state.auth.by !== 'login' || this.blocks.is('loggedOut')) return 0;
    return Math.max(this.state.tokensSince + TOKENS_LIVE_MS - Date.now(), 0);
  }

  private async ready(given: () => boolean): Promise<void> {
    const blocked = () => this.blocks.is('disabled') || this.blocks.is('loggedOut') || this.renewing !== undefined;
    // What came in the same turn may have blocked it again.
    while (blocked() && !given()) {
      if (this.lifetime.draining) throw new Paused();
      await condition(() => !blocked() || given() || this.lifetime.draining);
    }
    if (given()) throw new GivenUp();
  }

  private async refresh(): Promise<void> {
    const { auth } = this.state;
    if (auth.by !== 'login') return;
    const { refreshToken, deviceId } = auth.tokens;
    if (!refreshToken || deviceId === undefined) return this.blocks.loggedOut();
    try {
      const tokens = await this.lifetime.hold(() =>
        apiActivities(this.start.entity).refreshUserToken(this.nextRenewal(), auth.tokens),
      );
      // A login that came meanwhile is newer.
      if (this.state.auth === auth) this.login(tokens);
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      if (failure.code === CODES.userDisabled) this.blocks.disabled();
      else if (this.state.auth === auth) this.blocks.loggedOut();
    }
  }

  /** Of this session and no earlier one of the same user, whose keys are used. */
  private nextRenewal(): EffectRef {
    const { ref, keyId } = this.start;
    const ordinal = ++this.state.renewals;
    return { flow: USER_SESSION, ref: `${ref}:${workflowInfo().firstExecutionRunId}`, keyId, step: 'renew', ordinal };
  }
}
