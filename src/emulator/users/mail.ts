import { z } from 'zod';
import { Refusal } from '../refusal';
import type { Settings } from '../settings';
import type { World } from '../world';
import type { Mail } from './rows';

/** Stands for the one-time password in the body of a template. */
const CODE_PLACEHOLDER = '{{code}}';

/** What mails are refused for when the console's settings are not sound. */
const SMTP_CODES: Readonly<Record<Settings['smtp'], number | undefined>> = {
  ready: undefined,
  missing: 155150,
  invalid: 155151,
  unreachable: 155158,
  loginRefused: 155159,
  mailRefused: 155160,
  failing: 155138,
};
const TEMPLATE_CODES: Readonly<Record<Settings['emailTemplate'], number | undefined>> = {
  ready: undefined,
  missing: 155155,
  invalid: 155154,
};

const smtpServer = z.strictObject({
  host: z.hostname(),
  port: z.number().int().min(1).max(65_535),
  username: z.string().optional(),
  password: z.string().optional(),
  /** Sender's address. */
  from: z.email(),
});
const template = z.strictObject({ subject: z.string().min(1), body: z.string().includes(CODE_PLACEHOLDER) });

/**
 * Puts a one-time password into a mailbox that only the control API reads.
 * @throws Refusal 155150, 155151, 155158–155160, 155138 server, 155155, 155154 template
 */
export function sendMail(
  { settings, store, random, clock }: World,
  mail: Pick<Mail, 'to' | 'otpToken' | 'code'>,
): void {
  const problem = TEMPLATE_CODES[settings.emailTemplate] ?? SMTP_CODES[settings.smtp];
  if (problem !== undefined) throw new Refusal(problem);
  const { mails, mailSender, mailTemplate } = store.people;
  mails.push({
    id: random.uuid(),
    sentDate: clock.now().toISOString(),
    from: mailSender,
    subject: mailTemplate.subject,
    text: mailTemplate.body.replaceAll(CODE_PLACEHOLDER, mail.code),
    ...mail,
  });
}

/** The console's form. @throws Refusal 155157: it can't be a server */
export function setSmtpServer({ settings, store }: World, given: unknown): void {
  const { success, data } = smtpServer.safeParse(given);
  if (!success) throw new Refusal(155157);
  store.people.mailSender = data.from;
  settings.smtp = 'ready';
}

/** The console's form. @throws Refusal 155156: no subject, or no place for the password */
export function setMailTemplate({ settings, store }: World, given: unknown): void {
  const { success, data } = template.safeParse(given);
  if (!success) throw new Refusal(155156);
  store.people.mailTemplate = data;
  settings.emailTemplate = 'ready';
}
