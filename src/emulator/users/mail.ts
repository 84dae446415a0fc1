import { z } from 'zod';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Settings } from '../settings';
import type { World } from '../world/world';
import type { SentMail } from './rows';

/** Placeholder for the one-time password in the body of a template. */
const CODE_PLACEHOLDER = '{{code}}';

/** The errors of sending an email, by the state of the SMTP server. */
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
  /** Address of the sender. */
  from: z.email(),
});
const template = z.strictObject({ subject: z.string().min(1), body: z.string().includes(CODE_PLACEHOLDER) });

/**
 * Puts an email with a one-time password into the mailbox. Only controls can read the mailbox.
 * @throws ApiErrorResponse 155150, 155151, 155158–155160, 155138 server, 155155, 155154 template
 */
export function sendMail(
  { settings, users, random, clock }: World,
  mail: Pick<SentMail, 'to' | 'otpToken' | 'code'>,
): void {
  const problem = TEMPLATE_CODES[settings.emailTemplate] ?? SMTP_CODES[settings.smtp];
  if (problem !== undefined) throw new ApiErrorResponse(problem);
  const { mails, mailSender, mailTemplate } = users;
  mails.push({
    id: random.uuid(),
    sentDate: clock.now().toISOString(),
    from: mailSender,
    subject: mailTemplate.subject,
    text: mailTemplate.body.replaceAll(CODE_PLACEHOLDER, mail.code),
    ...mail,
  });
}

/** The SMTP form of the console. @throws ApiErrorResponse 155157 the fields do not describe a server */
export function setSmtpServer({ settings, users }: World, form: unknown): void {
  const { success, data } = smtpServer.safeParse(form);
  if (!success) throw new ApiErrorResponse(155157);
  users.mailSender = data.from;
  settings.smtp = 'ready';
}

/** The template form of the console. @throws ApiErrorResponse 155156 no subject, or no placeholder for the password */
export function setMailTemplate({ settings, users }: World, form: unknown): void {
  const { success, data } = template.safeParse(form);
  if (!success) throw new ApiErrorResponse(155156);
  users.mailTemplate = data;
  settings.emailTemplate = 'ready';
}
