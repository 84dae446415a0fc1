import type { SettingsPatch } from '../../../src/emulator';
import { mailOtp, socialToken } from '../users/login';
import type { ErrorCodeCase } from './errorCodeCase';

/** Requests a mail while a console setting is invalid. */
const mailError = (code: number, status: number, settings: SettingsPatch): ErrorCodeCase => ({
  code,
  status,
  cause: 'setting',
  trigger: async (client) => {
    await client.world.control.changeSettings(settings);
    return mailOtp(client);
  },
});

/** The API reference's codes of the authentication configuration (155150–155157), and codes that only the official SDKs list. */
export const AUTH_CONFIGURATION: readonly ErrorCodeCase[] = [
  mailError(155150, 404, { smtp: 'missing' }),
  mailError(155151, 400, { smtp: 'invalid' }),
  {
    code: 155152,
    status: 404,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.changeSettings({ ssoProviders: [] });
      return socialToken(client);
    },
  },
  mailError(155154, 400, { emailTemplate: 'invalid' }),
  mailError(155155, 404, { emailTemplate: 'missing' }),
  {
    code: 155156,
    status: 400,
    cause: 'setting',
    trigger: (client) =>
      client.control('PUT', '/authentication/emailTemplate', { subject: 'Code', body: 'No code here' }),
  },
  {
    code: 155157,
    status: 400,
    cause: 'setting',
    trigger: (client) =>
      client.control('PUT', '/authentication/smtp', { host: 'mail.example.com', port: 0, from: 'a@example.com' }),
  },
  mailError(155158, 400, { smtp: 'unreachable' }),
  mailError(155159, 400, { smtp: 'loginRefused' }),
  mailError(155160, 400, { smtp: 'mailRefused' }),
];
