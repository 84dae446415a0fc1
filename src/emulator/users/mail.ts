import { Refusal } from '../refusal';
import type { Settings } from '../settings';
import type { World } from '../world';
import type { Mail } from './rows';

/** Stands for the one-time password in a mail template. */
export const CODE_PLACEHOLDER = '{{code}}';

/** What mails are refused for when the console's settings are not sound. */
const SMTP_CODES: Record<Exclude<Settings['smtp'], 'ready'>, number> = {
  missing: 155150,
  invalid: 155151,
  unreachable: 155158,
  loginRefused: 155159,
  mailRefused: 155160,
  failing: 155138,
};
const TEMPLATE_CODES: Record<Exclude<Settings['emailTemplate'], 'ready'>, number> = {
  missing: 155155,
  invalid: 155154,
};

/**
 * Puts a one-time password into a mailbox that only the control API reads.
 * @throws Refusal 155150, 155151, 155155, 155154, 155158–155160, 155138
 */
export function sendMail(
  { settings, store, random, clock }: World,
  mail: Pick<Mail, 'to' | 'otpToken' | 'code'>,
): void {
  const { smtp, emailTemplate } = settings;
  if (smtp === 'missing' || smtp === 'invalid') throw new Refusal(SMTP_CODES[smtp]);
  if (emailTemplate !== 'ready') throw new Refusal(TEMPLATE_CODES[emailTemplate]);
  if (smtp !== 'ready') throw new Refusal(SMTP_CODES[smtp]);
  const { people } = store;
  people.mails.push({
    id: random.uuid(),
    sentDate: clock.now().toISOString(),
    subject: people.mailTemplate.subject,
    text: people.mailTemplate.body.replaceAll(CODE_PLACEHOLDER, mail.code),
    ...mail,
  });
}
