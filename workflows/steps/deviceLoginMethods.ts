import { option } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { DeviceLogin } from '../../src/domain/deviceLogin';
import type { EffectRef } from '../../src/domain/effect';
import { LOGIN_REMEDIES } from '../../src/domain/loginRemedy';
import { OtpRateLimit } from '../../src/domain/otpSends';
import type { Sealed } from '../../src/domain/sealed';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';

/** A way to log in on a device: gets the tokens that the user's browser needs for it. */
export interface DeviceLoginMethod {
  readonly kind: 'email' | 'social';
  /** What the flow waits for afterwards, in one line, for the progress. */
  readonly waitingFor: string;
  /** Epoch milliseconds of the next possible `start` or `resend`; undefined if one is possible now. */
  nextAllowedAt(): number | undefined;
  /** Gets new device tokens. Earlier ones become invalid. */
  start(deviceId: string): Promise<DeviceLoginResult>;
  /** Sends another email; only for logins by email. */
  resend?(deviceId: string, login: DeviceLogin): Promise<DeviceLoginResult>;
  /** Allows no email for an hour, because the user's app reported that the API sends none. */
  pause(): void;
}

/** The tokens, or the error code of `LOGIN_REMEDIES` that prevented them. */
export type DeviceLoginResult = { login: DeviceLogin } | { problem: number };

/** After this many lost responses in a row, the flow stops and the user's app has to ask again. */
const MAX_LOST_RESPONSES = 5;

/**
 * Login with a one-time password by email. An email that may have been sent is counted as sent, as the API counts it.
 */
export class EmailLoginMethod implements DeviceLoginMethod {
  readonly kind = 'email';
  readonly waitingFor = 'the user to log in by email';
  private readonly rateLimit = new OtpRateLimit();

  constructor(
    private readonly flow: Flow,
    /** Sealed for the flow as its input's `email`. */
    private readonly email: Sealed,
  ) {}

  nextAllowedAt(): number | undefined {
    return this.rateLimit.nextAllowedAt(Date.now());
  }

  pause(): void {
    this.rateLimit.pause(Date.now());
  }

  async start(deviceId: string): Promise<DeviceLoginResult> {
    const { flow, email } = this;
    for (;;) {
      const sent = await this.sendMail('mailOtp', (effect) =>
        flow.api.createEmailDeviceToken(effect, { deviceId, email }),
      );
      if ('problem' in sent) return sent;
      if ('value' in sent) return { login: sent.value };
    }
  }

  async resend(deviceId: string, login: DeviceLogin): Promise<DeviceLoginResult> {
    const { flow, email } = this;
    const { otpToken } = login;
    if (!otpToken) return this.start(deviceId);
    const sent = await this.sendMail('resendOtp', (effect) =>
      flow.api.resendOtp(effect, { deviceId, email, otpToken }),
    );
    if ('value' in sent) return { login: { ...login, ...sent.value } };
    // If the response was lost, the OTP token of the new email is lost too, and the old token is invalid: start a new
    // login.
    const mustRestart = 'lost' in sent || RESTART_REMEDIES.has(LOGIN_REMEDIES[sent.problem]);
    return mustRestart ? this.start(deviceId) : { problem: sent.problem };
  }

  private async sendMail<R>(step: string, send: (effect: EffectRef) => Promise<R>): Promise<TokenResult<R>> {
    const blockedBy = () => (this.nextAllowedAt() === undefined ? undefined : CODES.otpSendsExhausted);
    const result = await requestTokens(this.flow, step, send, blockedBy);
    if (!('problem' in result)) this.rateLimit.recordSend(Date.now());
    else if (LOGIN_REMEDIES[result.problem] === 'wait' && !blockedBy()) this.pause();
    return result;
  }
}

const RESTART_REMEDIES: ReadonlySet<string | undefined> = new Set(['restart', 'resend']);

/** Login at an SSO provider, with a device token and without an email. */
export class SocialLoginMethod implements DeviceLoginMethod {
  readonly kind = 'social';
  readonly waitingFor: string;

  constructor(
    private readonly flow: Flow,
    provider: string,
  ) {
    this.waitingFor = `the user to log in at ${provider}`;
  }

  nextAllowedAt(): undefined {
    return undefined;
  }

  pause(): void {}

  async start(deviceId: string): Promise<DeviceLoginResult> {
    const { flow } = this;
    for (let lost = 0; lost < MAX_LOST_RESPONSES; lost++) {
      const result = await requestTokens(flow, 'deviceToken', (effect) =>
        flow.api.createSocialDeviceToken(effect, { deviceId }),
      );
      if ('problem' in result) return result;
      if ('value' in result) return { login: result.value };
    }
    return { problem: CODES.deviceTokenNotFound };
  }
}

/** `lost`: the API created tokens, or may have created them, but the response was lost. */
type TokenResult<R> = { value: R } | { lost: true } | { problem: number };

const RETRY = option('retry', 'asks the API again');
/** An option of every attention of a login. */
export const GIVE_UP = option('giveUp', 'ends the flow as failed, unless a challenge can still be approved');

/**
 * Requests tokens, with a new key for each request. If the API refuses with the kind `attention`, the flow asks for a
 * decision.
 * @param blockedBy returns the error code that forbids a request at the moment; called before each request, because
 * decisions take time
 * @throws FlowOutcomeError if the API's refusal is final or the decision gives up
 */
async function requestTokens<R>(
  flow: Flow,
  step: string,
  send: (effect: EffectRef) => Promise<R>,
  blockedBy: () => number | undefined = () => undefined,
): Promise<TokenResult<R>> {
  for (;;) {
    const problem = blockedBy();
    if (problem !== undefined) return { problem };
    try {
      return { value: await send(flow.nextEffect(step)) };
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      if (failure.tainted || failure.code === CODES.idempotencyKeyUsed) return { lost: true };
      if (LOGIN_REMEDIES[failure.code]) return { problem: failure.code };
      const stop = problemOf(failure);
      if (failure.kind !== 'attention') throw failedOutcome(stop);
      const choice = await flow.awaitDecision({ ...stop, options: [RETRY, GIVE_UP] });
      if (choice === 'giveUp') throw failedOutcome(stop);
    }
  }
}
