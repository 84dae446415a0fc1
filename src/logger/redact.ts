/**
 * Members whose value never belongs into a log. No code logs them on purpose; this is the second net, for the object that
 * someone logs as a whole one day.
 */
const SECRET_MEMBERS = [
  'apiKey',
  'authorization',
  'ciphertext',
  'deviceEncryptionKey',
  'deviceToken',
  'email',
  'encryptionKey',
  'entitySecret',
  'entitySecretCiphertext',
  'otpToken',
  'password',
  'pin',
  'privateKey',
  'refreshToken',
  'secret',
  'userToken',
  'x-user-token',
];

const NAMES = SECRET_MEMBERS.join('|');
const NUMBER = String.raw`-?\d[\d.]*`;
const MEMBER = new RegExp(String.raw`(?<!\\)("(?:${NAMES})":)(?:"(?:[^"\\]|\\.)*"|${NUMBER})`, 'gi');
/** The same in JSON that is a text within JSON, where quotes are escaped once (`\"apiKey\":\"…\"`) or more often. */
const NESTED_MEMBER = new RegExp(String.raw`((\\+")(?:${NAMES})\2:)(?:\2.*?(?<!\\)\2|${NUMBER})`, 'gi');

/** Secrets that can be told by their form. (An entity secret can't: it looks like a transaction hash.) */
const API_KEY = /\b(TEST|LIVE)_API_KEY:[^\s"'\\,]+/g;
const EVENT_SECRET = /\bwhsec_[A-Za-z0-9+/]+=*/g;
/** Of people and of users of the API: header and claims are JSON in base64url. */
const JWT = /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]*/g;
const BEARER = /\bBearer\s+[^\s"'\\,]+/gi;

const REDACTED = '[redacted]';

/** A line of JSON without the values of known secrets; it stays valid JSON. */
export function redact(line: string): string {
  return line
    .replace(MEMBER, (_, name: string) => `${name}"${REDACTED}"`)
    .replace(NESTED_MEMBER, (_, name: string, quote: string) => `${name}${quote}${REDACTED}${quote}`)
    .replace(API_KEY, REDACTED)
    .replace(EVENT_SECRET, REDACTED)
    .replace(JWT, REDACTED)
    .replace(BEARER, REDACTED);
}
