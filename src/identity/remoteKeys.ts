import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWKSCacheInput,
  jwksCache,
  type JWTVerifyGetKey,
} from 'jose';
import { KEYS_TIMEOUT_MS, throttledKeyFetch } from './fetchKeys';

/** How long the fetched keys count while the issuer does not respond. Then a withdrawn key must not count any more. */
const MAX_AGE_IN_OUTAGE_MS = 24 * 60 * 60_000;

/**
 * The keys that an issuer publishes, fetched when they are ten minutes old or lack the key of a token. While the issuer
 * does not respond, the keys of the last fetch serve on.
 */
export function remoteKeys(url: string): JWTVerifyGetKey {
  /** The library writes each fetch into it. */
  const last: JWKSCacheInput = {};
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: KEYS_TIMEOUT_MS,
    [customFetch]: throttledKeyFetch(),
    [jwksCache]: last,
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      const { jwks, uat = 0 } = last;
      if (!jwks || Date.now() - uat > MAX_AGE_IN_OUTAGE_MS) throw error;
      // A key that is missing here may be a new one, so its absence proves nothing.
      return createLocalJWKSet(jwks)(header, token).catch(() => Promise.reject(error));
    }
  };
}
