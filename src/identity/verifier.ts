import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { type Actor, ISSUER_UNREACHABLE } from '../domain/actor';
import { remoteKeys } from './remoteKeys';
import type { Issuer } from './issuers';

/** Asymmetric algorithms: only the issuer can create these signatures. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** How far the clocks of issuer and worker may differ. */
const LEEWAY_SECONDS = 60;
const MAX_SUBJECT_LENGTH = 255;

/**
 * A token does not prove an actor who may send this message. The error's message says why and what to do, without token
 * content.
 */
export class IdentityRefusedError extends Error {
  override readonly name: string = 'IdentityRefusedError';
}

/** The keys of the token's issuer cannot be fetched now, so the token proves nothing yet. */
export class IssuerUnreachableError extends IdentityRefusedError {
  override readonly name = ISSUER_UNREACHABLE;
}

/** Identifies actors by their tokens (RFC 7519). */
export interface IdentityVerifier {
  /** Names of the trusted issuers. */
  readonly issuers: readonly string[];
  /**
   * @param scope the scope that the token must have
   * @param at when the token must be valid; default: now
   * @throws IdentityRefusedError
   */
  verify(token: string, scope: string, at?: Date): Promise<Actor>;
}

/**
 * Verifies tokens of these issuers. Their keys are cached for ten minutes, and for a day while an issuer does not respond.
 * An unknown key causes at most two fetches per minute, and an issuer that does not respond is asked at most every five
 * seconds.
 */
export function identityVerifier(issuers: readonly Issuer[]): IdentityVerifier {
  const known = new Map(issuers.map((issuer) => [issuer.issuer, { ...issuer, keys: keysOf(issuer) }]));
  const names = [...known.keys()];
  return {
    issuers: names,
    async verify(token, scope, at) {
      const issuer = known.get(issuerOf(token) ?? '');
      if (!issuer) {
        throw new IdentityRefusedError(
          names.length > 0
            ? `token: the workers do not trust its issuer; get one from ${names.join(', ')}`
            : 'token: the workers trust no issuer; add one to the file of WALLETFLOW_IDENTITY_FILE on the workers',
        );
      }
      const claims = await verifyToken(token, issuer, at);
      const sub: unknown = claims.sub;
      if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH) {
        throw new IdentityRefusedError(
          `token: has no usable "sub"; have ${issuer.issuer} set it to 1 to ${MAX_SUBJECT_LENGTH} characters`,
        );
      }
      if (!scopesOf(claims[issuer.scopeClaim]).includes(scope)) {
        throw new IdentityRefusedError(
          `token: lacks scope ${scope} in claim "${issuer.scopeClaim}"; ask ${issuer.issuer} for one that has it`,
        );
      }
      return { subject: sub, issuer: issuer.issuer };
    },
  };
}

/** Not verified yet. It only selects the keys, so that a token of an unknown issuer causes no fetch. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new IdentityRefusedError(
      'token: is not a JWT; pass it as the issuer returned it, three parts separated by dots',
    );
  }
}

function keysOf({ jwks, jwksUri }: Issuer): JWTVerifyGetKey {
  return jwks ? createLocalJWKSet(jwks) : remoteKeys(jwksUri!);
}

async function verifyToken(token: string, { issuer, audience, keys }: Issuer & { keys: JWTVerifyGetKey }, at?: Date) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      requiredClaims: ['exp'],
      ...(at && { currentDate: at }),
    });
    return payload;
  } catch (error) {
    const problem = problemOf(error, issuer, audience);
    if (problem !== undefined) throw new IdentityRefusedError(`token: ${problem}`);
    throw new IssuerUnreachableError(
      `token: the keys of ${issuer} cannot be fetched at the moment; send it again later, with a new id`,
    );
  }
}

/** What is wrong with the token; undefined if the keys could not be fetched. */
function problemOf(error: unknown, issuer: string, audience: string): string | undefined {
  if (error instanceof errors.JWTExpired) return `has expired; get a new one from ${issuer}`;
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (claim === 'aud') return `is for another audience; ask ${issuer} for a token for "${audience}"`;
    if (claim === 'nbf') return `is not valid yet; wait, or correct the clocks of ${issuer} and the workers`;
    return `its claim "${claim}" is ${reason === 'missing' ? 'missing' : 'wrong'}; ask ${issuer} for a correct token`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return `is signed with a key that ${issuer} does not publish; get a new one there`;
  }
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    return `names no key ("kid"), and ${issuer} publishes several; have it name the key in the header of its tokens`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return `its signature is not from ${issuer}; get a new one there and send it unchanged`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return `is signed with an algorithm other than ${ALGORITHMS.join(', ')}; change it at ${issuer}`;
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid)
    return `is not a signed JWT; get one from ${issuer}`;
  if (error instanceof errors.JOSENotSupported)
    return `needs an unsupported feature ("crit", or another kind of key); ask ${issuer} for a token without it`;
  return undefined;
}

/** Scopes are a string separated by spaces (RFC 8693), or a list. */
function scopesOf(claim: unknown): readonly unknown[] {
  return typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
}
