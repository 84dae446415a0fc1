import type { ApiFailure } from '../../src/domain/apiFailure';
import type { DecisionOption } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { DeviceLogin } from '../../src/domain/deviceLogin';
import type { EffectRef } from '../../src/domain/effect';
import { LOGIN_HELP } from '../../src/domain/loginHelp';
import { OtpSends } from '../../src/domain/otpSends';
import type { Sealed } from '../../src/domain/sealed';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';

/** How a device gets what its user logs in with. */
export interface DeviceLogins {
  readonly method: 'email' | 'social';
  /** What the flow waits for then, in one line. */
  readonly waitsFor: string;
  /** When it can get anything again; undefined: now. */
  nextAt(): number | undefined;
  /** Gets all of it anew. What was there before is void then. */
  begin(deviceId: string): Promise<Obtained>;
  /** Sends another mail; only where there are mails. */
  resend?(deviceId: string, login: DeviceLogin): Promise<Obtained>;
  /** Somebody else learned that nothing is sent for an hour. */
  pause(): void;
}

/** What came of it; or the code, of those in `LOGIN_HELP`, that kept it from coming. */
export type Obtained = { login: DeviceLogin } | { problem: number };

/** So many device tokens in a row may be lost on their way before somebody has to ask again. */
const LOST_AT_MOST = 5;

/** One-time passwords by mail. Each mail counts as a send, one that may have been sent too (DESIGN rule 2). */
export class EmailLogins implements DeviceLogins {
  readonly method = 'email';
  readonly waitsFor = 'the user to log in by email';
  private readonly sends = new OtpSends();

  constructor(
    private readonly flow: Flow,
    /** Sealed for the flow as its input's `email`. */
    private readonly email: Sealed,
  ) {}

  nextAt(): number | undefined {
    return this.sends.nextAt(Date.now());
  }

  pause(): void {
    this.sends.close(Date.now());
  }

  async begin(deviceId: string): Promise<Obtained> {
    const { flow, email } = this;
    for (;;) {
      const sent = await this.mail('mailOtp', (effect) => flow.api.createEmailDeviceToken(effect, { deviceId, email }));
      if ('problem' in sent) return sent;
      if ('given' in sent) return { login: sent.given };
    }
  }

  async resend(deviceId: string, login: DeviceLogin): Promise<Obtained> {
    const { flow, email } = this;
    const { otpToken } = login;
    if (!otpToken) return this.begin(deviceId);
    const sent = await this.mail('resendOtp', (effect) => flow.api.resendOtp(effect, { deviceId, email, otpToken }));
    if ('given' in sent) return { login: { ...login, ...sent.given } };
    // The token of a mail whose answer was lost is nobody's, and the one before is void: only a new login helps then.
    const over = 'lost' in sent || HELPED_BY_BEGIN.has(LOGIN_HELP[sent.problem]);
    return over ? this.begin(deviceId) : { problem: sent.problem };
  }

  private async mail<R>(step: string, send: (effect: EffectRef) => Promise<R>): Promise<Answer<R>> {
    const paused = () => (this.nextAt() === undefined ? undefined : CODES.otpSendsExhausted);
    const answer = await ask(this.flow, step, send, paused);
    if (!('problem' in answer)) this.sends.count(Date.now());
    else if (LOGIN_HELP[answer.problem] === 'pause' && !paused()) this.pause();
    return answer;
  }
}

const HELPED_BY_BEGIN: ReadonlySet<string | undefined> = new Set(['begin', 'resend']);

/** Device tokens for a login at an SSO provider. */
export class SocialLogins implements DeviceLogins {
  readonly method = 'social';
  readonly waitsFor: string;

  constructor(
    private readonly flow: Flow,
    provider: string,
  ) {
    this.waitsFor = `the user to log in at ${provider}`;
  }

  nextAt(): undefined {
    return undefined;
  }

  pause(): void {}

  async begin(deviceId: string): Promise<Obtained> {
    const { flow } = this;
    for (let lost = 0; lost < LOST_AT_MOST; lost++) {
      const answer = await ask(flow, 'deviceToken', (effect) => flow.api.createSocialDeviceToken(effect, { deviceId }));
      if ('problem' in answer) return answer;
      if ('given' in answer) return { login: answer.given };
    }
    return { problem: CODES.deviceTokenNotFound };
  }
}

/** `lost`: tokens were made, or may have been, and nobody has them. */
type Answer<R> = { given: R } | { lost: true } | { problem: number };

const RETRY: DecisionOption = { choice: 'retry', effect: 'asks the API again' };
/** Of every question that a login waits for. */
export const GIVE_UP: DecisionOption = {
  choice: 'giveUp',
  effect: 'ends the flow as failed, unless something could still be approved',
};

/**
 * Asks for tokens once, with a key of its own; what a person at the integrator can mend waits for one.
 * @param forbidden what keeps it from being asked now, which may have come up while the person was waited for
 * @throws Refusal when the API's answer is final or the person gives up
 */
async function ask<R>(
  flow: Flow,
  step: string,
  send: (effect: EffectRef) => Promise<R>,
  forbidden: () => number | undefined = () => undefined,
): Promise<Answer<R>> {
  for (;;) {
    const problem = forbidden();
    if (problem !== undefined) return { problem };
    try {
      return { given: await send(flow.nextEffect(step)) };
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      if (failure.tainted || failure.code === CODES.idempotencyKeyUsed) return { lost: true };
      if (LOGIN_HELP[failure.code]) return { problem: failure.code };
      if (failure.kind !== 'attention' || !(await retried(flow, failure))) throw refusal(failure);
    }
  }
}

async function retried(flow: Flow, { code, name, remedy }: ApiFailure): Promise<boolean> {
  const attention = { code: code || undefined, name, reason: name, remedy, options: [RETRY, GIVE_UP] };
  return (await flow.attention(attention)) === RETRY.choice;
}

function refusal({ code, name, remedy }: ApiFailure): Refusal {
  return new Refusal({ status: 'failed', code: code || undefined, reason: name, remedy });
}
