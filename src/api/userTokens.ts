import { LRUCache } from 'lru-cache';
import { USER_TOKEN_REFUSALS } from '../domain/codes';
import { untilAborted } from './abort';
import { ApiError, callFailure } from './apiError';
import type { Api } from './client';
import type { OperationId } from './contract';
import { Credential } from './credentials';

/** A user token from `createUserToken`, with its encryption key. */
export interface PinToken {
  userToken: string;
  encryptionKey?: string;
  /**
   * `performance.now()` at receipt. Comparing the API's clock with ours would make every token look expired on a
   * machine whose clock is fast.
   */
  since: number;
}

/**
 * A token is valid for 60 minutes. A token that may be about to expire is not used. This is only an estimate: the API
 * decides whether a token is valid.
 */
const MAX_AGE_MS = 55 * 60_000;
/** Users whose tokens are cached. The least recently used one is dropped. */
const MAX_USERS = 10_000;
/**
 * How long a request waits for its token, so that it ends before its activity does. The fetch continues, and the next
 * attempt finds the token.
 */
const TOKEN_WAIT_MS = 8_000;

export function isTokenRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && USER_TOKEN_REFUSALS.has(error.code);
}

/**
 * Tokens of users with a PIN, which the API key alone can get (docs/architecture.md#the-session-of-a-user). Each is
 * fetched once for all requests that wait for it, through its own bucket. It is cached until the API refuses it or it
 * is nearly an hour old.
 */
export class UserTokens {
  /** By user id. */
  private readonly credentials = new LRUCache<string, Credential<PinToken>>({
    max: MAX_USERS,
    memoMethod: (userId) => new Credential(() => this.fetch(userId)),
  });

  /** @param permit takes a permit in the bucket of `createUserToken`; the returned function releases it */
  constructor(
    private readonly api: Pick<Api, 'createUserToken'>,
    private readonly permit: (endpoint: OperationId) => Promise<() => void> = () => Promise.resolve(() => {}),
  ) {}

  /**
   * Sends one request with the user's token.
   * @throws ApiError of the request, with `credentialDropped` if its token was refused and the next attempt uses a new
   *   one; ApiError of the token fetch, with the outcome `none`
   */
  async use<T>(userId: string, send: (userToken: string) => Promise<T>): Promise<T> {
    const credential = this.credentials.memo(userId);
    const token = await this.tokenOf(credential);
    try {
      const result = await send(token.userToken);
      credential.accepted(token);
      return result;
    } catch (error) {
      if (!isTokenRefusal(error)) throw error;
      throw error.with({ credentialDropped: credential.refused(token) === 'renew' });
    }
  }

  /** A separate token and key for an app that needs the pair. Never comes from the cache; safe to repeat. */
  fresh(userId: string): Promise<PinToken> {
    return this.fetch(userId);
  }

  private async tokenOf(credential: Credential<PinToken>): Promise<PinToken> {
    const timeout = AbortSignal.timeout(TOKEN_WAIT_MS);
    const get = () =>
      untilAborted(credential.get(), timeout, () => callFailure('notSent', 'createUserToken', { local: true }));
    try {
      const token = await get();
      if (performance.now() - token.since < MAX_AGE_MS) return token;
      credential.invalidate(token);
      return await get();
    } catch (error) {
      throw error instanceof ApiError ? error.with({ outcome: 'none' }) : error;
    }
  }

  private async fetch(userId: string): Promise<PinToken> {
    const release = await this.permit('createUserToken');
    try {
      const { userToken, encryptionKey } = (await this.api.createUserToken({ body: { userId } })).data;
      return { userToken, encryptionKey, since: performance.now() };
    } finally {
      release();
    }
  }
}
