import { createHmac } from 'node:crypto';

/** The claims of a user token or device token. */
interface JwtClaims {
  /** User or device id. */
  subject: string;
  /** Id of the token. */
  id: string;
  issuedAt: Date;
  expiresAt: Date;
}

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/** Signs a JSON Web Token (RFC 7519, HS256). Libraries sign asynchronously, but a request must run synchronously. */
export function signJwt({ subject, id, issuedAt, expiresAt }: JwtClaims, secret: string): string {
  const claims = { sub: subject, jti: id, iat: seconds(issuedAt), exp: seconds(expiresAt) };
  const content = `${HEADER}.${encode(claims)}`;
  return `${content}.${signatureOf(content, secret)}`;
}

/** The id of a token that `signJwt` signed with this secret, expired or not; undefined for anything else. */
export function readJwt(token: string, secret: string): string | undefined {
  const [header, claims, signature, ...rest] = token.split('.');
  if (header !== HEADER || claims === undefined || rest.length > 0) return undefined;
  if (signature !== signatureOf(`${header}.${claims}`, secret)) return undefined;
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string }).jti;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function signatureOf(content: string, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('base64url');
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
