import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import type { Person } from '../domain/person';
import { KEYS_TIMEOUT_MS, keysFetch } from './fetchKeys';
import type { Issuer } from './issuers';

/** Signatures that the issuer alone can make. */
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
/** Clocks of issuer and worker may differ by so much. */
const LEEWAY_SECONDS = 60;
const LONGEST_SUBJECT = 255;

/** A token proves nobody who may send this message. Says what is wrong and what to do; repeats nothing of the token. */
export class IdentityRefused extends Error {
  override readonly name = 'IdentityRefused';
}

/** Tells who people are by their tokens (RFC 7519). */
export interface IdentityVerifier {
  /**
   * @param scope that the token has to have
   * @throws IdentityRefused
   */
  verify(token: string, scope: string): Promise<Person>;
}

/**
 * Verifies tokens of these issuers. Their keys are kept ten minutes; one that is not known is asked for twice a minute at
 * most, and an issuer that does not answer every five seconds.
 */
export function identityVerifier(issuers: readonly Issuer[]): IdentityVerifier {
  const known = new Map(issuers.map((issuer) => [issuer.issuer, { ...issuer, keys: keysOf(issuer) }]));
  return {
    async verify(token, scope) {
      const issuer = known.get(issuerOf(token) ?? '');
      if (!issuer) {
        const names = [...known.keys()].join(', ');
        throw new IdentityRefused(
          names
            ? `token: its issuer is not one that the workers believe; get one from ${names}`
            : 'token: the workers believe no issuer; name one in the file of WALLETFLOW_IDENTITY_FILE of the workers',
        );
      }
      const claims = await verified(token, issuer);
      const sub: unknown = claims.sub;
      if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_SUBJECT) {
        throw new IdentityRefused(
          `token: has no usable "sub"; let ${issuer.issuer} put 1 to ${LONGEST_SUBJECT} characters there`,
        );
      }
      if (!scopesOf(claims[issuer.scopeClaim]).includes(scope)) {
        throw new IdentityRefused(
          `token: lacks scope ${scope} in claim "${issuer.scopeClaim}"; ask ${issuer.issuer} for one that has it`,
        );
      }
      return { subject: sub, issuer: issuer.issuer };
    },
  };
}

/** Not verified yet: it only says whose keys to verify with, so that a stranger's token makes nobody fetch anything. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw new IdentityRefused('token: is no JWT; give the text that the issuer gave, three parts with dots between');
  }
}

function keysOf({ jwks, jwksUri }: Issuer): JWTVerifyGetKey {
  if (jwks) return createLocalJWKSet(jwks);
  return createRemoteJWKSet(new URL(jwksUri!), { timeoutDuration: KEYS_TIMEOUT_MS, [customFetch]: keysFetch() });
}

async function verified(token: string, { issuer, audience, keys }: Issuer & { keys: JWTVerifyGetKey }) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      requiredClaims: ['exp'],
    });
    return payload;
  } catch (error) {
    throw new IdentityRefused(`token: ${problemOf(error, issuer, audience)}`);
  }
}

function problemOf(error: unknown, issuer: string, audience: string): string {
  if (error instanceof errors.JWTExpired) return `has expired; get a new one from ${issuer}`;
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (claim === 'aud') return `is for another audience; ask ${issuer} for one for "${audience}"`;
    if (claim === 'nbf') return `is not valid yet; wait, or set the clocks of ${issuer} and the workers right`;
    return `its claim "${claim}" is ${reason === 'missing' ? 'missing' : 'wrong'}; ask ${issuer} for a right one`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return `is signed with a key that ${issuer} does not publish; get a new one from it`;
  }
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    return `names no key ("kid"), and ${issuer} publishes several; let it name the key in the header of its tokens`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return `its signature is not one of ${issuer}; get a new one from it, and send it as it is`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return `is signed by another algorithm than ${ALGORITHMS.join(', ')}; change it at ${issuer}`;
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid)
    return `is no signed JWT; get one from ${issuer}`;
  if (error instanceof errors.JOSENotSupported)
    return `needs what is not supported ("crit", or a key of another kind); ask ${issuer} for a plain one`;
  return `the keys of ${issuer} can't be had just now; send it again later, with a new id`;
}

/** Scopes stand in a text with blanks between (RFC 8693), or in a list. */
function scopesOf(claim: unknown): readonly unknown[] {
  return typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
}
