import { z } from 'zod';
import { control, type ControlTable } from './control';
import { setMailTemplate, setSmtpServer } from '../users/mail';
import { verifyOtp } from '../users/otp';
import { SSO_PROVIDERS } from '../settings';
import { socialLogin } from '../users/socialLogin';

const device = { deviceToken: z.string(), deviceEncryptionKey: z.string().optional() };

/** Mailboxes, logins in the client SDK, and the console's forms for mail. */
export const loginControls: ControlTable = {
  'GET /mails': control({
    summary: 'Mails with one-time passwords, oldest first; to one address with `to`',
    query: z.strictObject({ to: z.string().optional() }),
    run: ({ store }, { query }) => ({
      mails: store.people.mails.filter(({ to }) => query.to === undefined || to === query.to.toLowerCase()),
    }),
  }),
  'POST /otp/verify': control({
    summary: 'The user enters a one-time password: answers with user token, encryption key and refresh token',
    body: z.strictObject({ ...device, otpToken: z.string(), otp: z.string() }),
    run: (world, { body }) => verifyOtp(world, body),
  }),
  'POST /socialLogin': control({
    summary: 'The user logs in at an SSO provider: answers with user token, encryption key and refresh token',
    body: z.strictObject({
      ...device,
      provider: z.enum(SSO_PROVIDERS),
      /** Who the provider says it is: one user an account. */
      account: z.string().min(1),
      ssoToken: z.enum(['valid', 'expired', 'invalid']).default('valid'),
    }),
    run: (world, { body }) => socialLogin(world, body),
  }),
  'PUT /authentication/smtp': control({
    summary: 'Saves the SMTP server, as in the console; mails can be sent from then on',
    body: z.record(z.string(), z.unknown()),
    run: (world, { body }) => setSmtpServer(world, body),
  }),
  'PUT /authentication/emailTemplate': control({
    summary: 'Saves the template of mails with one-time passwords, as in the console',
    body: z.record(z.string(), z.unknown()),
    run: (world, { body }) => setMailTemplate(world, body),
  }),
};
