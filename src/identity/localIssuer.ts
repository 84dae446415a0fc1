import { importJWK, SignJWT } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { z } from 'zod';
import { SCOPES } from '../domain/messages';
import type { Issuer } from './issuers';

const ALGORITHM = 'ES256';
const KEY_ID = 'local';
const LIFETIME = '5 minutes';

/**
 * `{ "issuer": …, "audience": …, "privateKey": <JWK, P-256> }`: for development and tests. Its owner can pose as
 * anyone.
 */
export const LocalIssuerSchema = z.strictObject(
  {
    issuer: z.string({ error: 'must be a string; copy the file again from its source' }).min(1),
    audience: z.string({ error: 'must be a string; copy the file again from its source' }).min(1),
    privateKey: z.looseObject(
      { kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string() },
      { error: 'must be a private key of P-256 as a JWK; copy the file again from its source' },
    ),
  },
  { error: 'must be an object with issuer, audience and privateKey; copy the file again from its source' },
);

/** An issuer with its private key, which can create tokens on this machine. */
export type LocalIssuer = z.output<typeof LocalIssuerSchema>;

export function generateLocalIssuer(): LocalIssuer {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y, d } = privateKey.export({ format: 'jwk' });
  return {
    issuer: 'walletflow-local',
    audience: 'walletflow',
    privateKey: { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: d! },
  };
}

/** The issuer's public part, for the workers. */
export function toIssuer({ issuer, audience, privateKey: { kty, crv, x, y } }: LocalIssuer): Issuer {
  return { issuer, audience, jwks: { keys: [{ kty, crv, x, y, kid: KEY_ID, alg: ALGORITHM }] }, scopeClaim: 'scope' };
}

/** Claims that differ from those of a valid token, for tests. */
export interface TokenClaims {
  scopes?: readonly string[];
  audience?: string;
  issuer?: string;
  /** Epoch seconds. */
  expiresAt?: number;
  notBefore?: number;
}

/** Creates a token of an actor, by default with all scopes and valid for five minutes. */
export async function mintToken(local: LocalIssuer, subject: string, claims: TokenClaims = {}): Promise<string> {
  const {
    scopes = Object.values(SCOPES),
    audience = local.audience,
    issuer = local.issuer,
    expiresAt,
    notBefore,
  } = claims;
  const token = new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(expiresAt ?? LIFETIME);
  if (notBefore !== undefined) token.setNotBefore(notBefore);
  return token.sign(await importJWK(local.privateKey, ALGORITHM));
}
