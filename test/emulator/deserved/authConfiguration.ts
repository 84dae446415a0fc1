import type { SettingsPatch } from '../../../src/emulator';
import { mailOtp, socialToken } from '../users/login';
import type { Deserved } from './deserved';

/** A mail is asked for under a setting of the console that is not sound. */
const mailing = (code: number, status: number, settings: SettingsPatch): Deserved => ({
  code,
  status,
  by: 'setting',
  earn: async (chain) => {
    await chain.world.control.changeSettings(settings);
    return mailOtp(chain);
  },
});

/** Spec, Authentication configuration (155150–155157), and those that only the official SDKs name. */
export const AUTH_CONFIGURATION: readonly Deserved[] = [
  mailing(155150, 404, { smtp: 'missing' }),
  mailing(155151, 400, { smtp: 'invalid' }),
  {
    code: 155152,
    status: 404,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.changeSettings({ ssoProviders: [] });
      return socialToken(chain);
    },
  },
  mailing(155154, 400, { emailTemplate: 'invalid' }),
  mailing(155155, 404, { emailTemplate: 'missing' }),
  {
    code: 155156,
    status: 400,
    by: 'setting',
    earn: (chain) => chain.control('PUT', '/authentication/emailTemplate', { subject: 'Code', body: 'No code here' }),
  },
  {
    code: 155157,
    status: 400,
    by: 'setting',
    earn: (chain) =>
      chain.control('PUT', '/authentication/smtp', { host: 'mail.example.com', port: 0, from: 'a@example.com' }),
  },
  mailing(155158, 400, { smtp: 'unreachable' }),
  mailing(155159, 400, { smtp: 'loginRefused' }),
  mailing(155160, 400, { smtp: 'mailRefused' }),
];
