import { z } from 'zod';
import { SSO_PROVIDERS } from '../settings';
import { setMailTemplate, setSmtpServer } from '../users/mail';
import { verifyOtp } from '../users/otp';
import { socialLogin } from '../users/socialLogin';
import { control, type ControlTable } from './control';

const device = { deviceToken: z.string(), deviceEncryptionKey: z.string().optional() };

/** The mailbox, logins in the client SDK, and the console's email settings. */
export const loginControls: ControlTable = {
  'GET /mails': control({
    summary: 'Lists emails with one-time passwords, oldest first; `to` selects one address',
    query: z.strictObject({ to: z.string().optional() }),
    run: ({ users }, { query }) => ({
      mails: users.mails.filter(({ to }) => query.to === undefined || to === query.to.toLowerCase()),
    }),
  }),
  'POST /otp/verify': control({
    summary: 'The user enters a one-time password; returns user token, encryption key and refresh token',
    body: z.strictObject({ ...device, otpToken: z.string(), otp: z.string() }),
    run: (world, { body }) => verifyOtp(world, body),
  }),
  'POST /socialLogin': control({
    summary: 'The user logs in with an SSO provider; returns user token, encryption key and refresh token',
    body: z.strictObject({
      ...device,
      provider: z.enum(SSO_PROVIDERS),
      /** Account name at the provider. Each account is one user. */
      account: z.string().min(1),
      ssoToken: z.enum(['valid', 'expired', 'invalid']).default('valid'),
    }),
    run: (world, { body }) => socialLogin(world, body),
  }),
  'PUT /authentication/smtp': control({
    summary: 'Saves the SMTP server as the console does; emails can be sent from then on',
    body: z.record(z.string(), z.unknown()),
    run: (world, { body }) => setSmtpServer(world, body),
  }),
  'PUT /authentication/emailTemplate': control({
    summary: 'Saves the template for emails with one-time passwords as the console does',
    body: z.record(z.string(), z.unknown()),
    run: (world, { body }) => setMailTemplate(world, body),
  }),
};
