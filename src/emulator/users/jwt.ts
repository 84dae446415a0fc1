import { createHmac } from 'node:crypto';

/** Claims of a user token; times in seconds of world time. */
export interface Claims {
  sub: string;
  jti: string;
  iat: number;
  exp: number;
}

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/** A JSON Web Token (RFC 7519), HS256. Made here because libraries do it asynchronously, and requests run in one go. */
export function signJwt(claims: Claims, secret: string): string {
  const content = `${HEADER}.${encode(claims)}`;
  return `${content}.${signatureOf(content, secret)}`;
}

/** The claims of a token that `signJwt` made with this secret, whatever their times; undefined for anything else. */
export function readJwt(token: string, secret: string): Claims | undefined {
  const [header, claims, signature, ...rest] = token.split('.');
  if (header !== HEADER || claims === undefined || rest.length > 0) return undefined;
  if (signature !== signatureOf(`${header}.${claims}`, secret)) return undefined;
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function signatureOf(content: string, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('base64url');
}
