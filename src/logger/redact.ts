/**
 * Members whose values never belong in a log. No code logs them on purpose. This is a second safeguard, for code that
 * logs a whole object by mistake.
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
/** The same for JSON inside a JSON string, where quotes are escaped once (`\"apiKey\":\"…\"`) or more often. */
const NESTED_MEMBER = new RegExp(String.raw`((\\+")(?:${NAMES})\2:)(?:\2.*?(?<!\\)\2|${NUMBER})`, 'gi');

/** Secrets that can be recognized by their form. (An entity secret cannot: it looks like a transaction hash.) */
const API_KEY = /\b(TEST|LIVE)_API_KEY:[^\s"'\\,]+/g;
const EVENT_SECRET = /\bwhsec_[A-Za-z0-9+/]+=*/g;
/** Tokens of actors and of the API's users: header and claims are JSON in base64url. */
const JWT = /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]*/g;
const BEARER = /\bBearer\s+[^\s"'\\,]+/gi;

const REDACTED = '[redacted]';

/** Removes the values of known secrets from a line of JSON. The result is valid JSON. */
export function redact(line: string): string {
  return line
    .replace(MEMBER, (_, name: string) => `${name}"${REDACTED}"`)
    .replace(NESTED_MEMBER, (_, name: string, quote: string) => `${name}${quote}${REDACTED}${quote}`)
    .replace(API_KEY, REDACTED)
    .replace(EVENT_SECRET, REDACTED)
    .replace(JWT, REDACTED)
    .replace(BEARER, REDACTED);
}
