import { randomUUID } from 'node:crypto';
import type { Answer, Chain } from '../chain/support';

export const EMAIL = 'anna@example.com';

/** A login by email on a device: what the backend has asked for, and what the browser SDK does with it. */
export class EmailLogin {
  constructor(
    readonly chain: Chain,
    readonly deviceId: string,
    readonly deviceToken: string,
    readonly otpToken: string,
  ) {}

  static async begin(chain: Chain, email = EMAIL, deviceId: string = randomUUID()): Promise<EmailLogin> {
    const { data } = await mailOtp(chain, { email, deviceId });
    return new EmailLogin(chain, deviceId, data.deviceToken, data.otpToken);
  }

  /** Asks for another mail. */
  async resend(change: object = {}): Promise<Answer> {
    const { chain, otpToken, deviceId } = this;
    const body = { idempotencyKey: randomUUID(), otpToken, email: EMAIL, deviceId, ...change };
    return chain.send('POST', '/users/resendOTP', body);
  }

  /** The same login with the token of another mail. */
  async resent(): Promise<EmailLogin> {
    const { data } = await this.resend();
    return new EmailLogin(this.chain, this.deviceId, this.deviceToken, data.otpToken);
  }

  /** The password of its mail. */
  async otp(): Promise<string> {
    const { body } = await this.chain.control('GET', '/mails');
    const mails = body.mails as { otpToken: string; code: string }[];
    return mails.find(({ otpToken }) => otpToken === this.otpToken)!.code;
  }

  /** The user enters a password, the right one unless told otherwise. */
  async enter(change: object = {}): Promise<Answer> {
    const { chain, deviceToken, otpToken } = this;
    return chain.control('POST', '/otp/verify', { deviceToken, otpToken, otp: await this.otp(), ...change });
  }

  async enterWrong(): Promise<Answer> {
    return this.enter({ otp: wrongOf(await this.otp()) });
  }
}

export function mailOtp(chain: Chain, change: object = {}): Promise<Answer> {
  const body = { idempotencyKey: randomUUID(), deviceId: randomUUID(), email: EMAIL, ...change };
  return chain.send('POST', '/users/email/token', body);
}

export function socialToken(chain: Chain, deviceId: string = randomUUID()): Promise<Answer> {
  return chain.send('POST', '/users/social/token', { idempotencyKey: randomUUID(), deviceId });
}

/** The user comes back from the SSO provider. */
export async function socialLogin(chain: Chain, change: object = {}): Promise<Answer> {
  const { data } = await socialToken(chain);
  const body = { deviceToken: data.deviceToken, provider: 'Google', account: 'anna', ...change };
  return chain.control('POST', '/socialLogin', body);
}

/** Another six digits than these. */
function wrongOf(otp: string): string {
  return String((Number(otp) + 1) % 1_000_000).padStart(6, '0');
}
