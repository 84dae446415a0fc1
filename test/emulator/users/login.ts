import { randomUUID } from 'node:crypto';
import type { TestClient, TestResponse } from '../chain/support';

export const EMAIL = 'anna@example.com';

/** A login by email on a device: the credentials that the backend requested, and the steps of the browser SDK. */
export class EmailLogin {
  constructor(
    readonly client: TestClient,
    readonly deviceId: string,
    readonly deviceToken: string,
    readonly otpToken: string,
  ) {}

  static async begin(client: TestClient, email = EMAIL, deviceId: string = randomUUID()): Promise<EmailLogin> {
    const { data } = await mailOtp(client, { email, deviceId });
    return new EmailLogin(client, deviceId, data.deviceToken, data.otpToken);
  }

  /** Requests another mail. */
  async resend(change: object = {}): Promise<TestResponse> {
    const { client, otpToken, deviceId } = this;
    const body = { idempotencyKey: randomUUID(), otpToken, email: EMAIL, deviceId, ...change };
    return client.send('POST', '/users/resendOTP', body);
  }

  /** Requests another mail. @returns the login with the OTP token of that mail */
  async resent(): Promise<EmailLogin> {
    const { data } = await this.resend();
    return new EmailLogin(this.client, this.deviceId, this.deviceToken, data.otpToken);
  }

  /** The one-time password in its mail. */
  async otp(): Promise<string> {
    const { body } = await this.client.control('GET', '/mails');
    const mails = body.mails as { otpToken: string; code: string }[];
    return mails.find(({ otpToken }) => otpToken === this.otpToken)!.code;
  }

  /** The user enters a one-time password, by default the right one. */
  async enter(change: object = {}): Promise<TestResponse> {
    const { client, deviceToken, otpToken } = this;
    return client.control('POST', '/otp/verify', { deviceToken, otpToken, otp: await this.otp(), ...change });
  }

  async enterWrong(): Promise<TestResponse> {
    return this.enter({ otp: wrongOf(await this.otp()) });
  }
}

export function mailOtp(client: TestClient, change: object = {}): Promise<TestResponse> {
  const body = { idempotencyKey: randomUUID(), deviceId: randomUUID(), email: EMAIL, ...change };
  return client.send('POST', '/users/email/token', body);
}

export function socialToken(client: TestClient, deviceId: string = randomUUID()): Promise<TestResponse> {
  return client.send('POST', '/users/social/token', { idempotencyKey: randomUUID(), deviceId });
}

/** The user returns from the SSO provider. */
export async function socialLogin(client: TestClient, change: object = {}): Promise<TestResponse> {
  const { data } = await socialToken(client);
  const body = { deviceToken: data.deviceToken, provider: 'Google', account: 'anna', ...change };
  return client.control('POST', '/socialLogin', body);
}

/** Six other digits. */
function wrongOf(otp: string): string {
  return String((Number(otp) + 1) % 1_000_000).padStart(6, '0');
}
