import { USER_TOKEN_REFUSALS } from '../domain/codes';
import { ApiError, ownFailure } from './apiError';
import type { Api } from './client';
import type { OperationId } from './contract';
import { Credential } from './credentials';
import { untilAborted } from './deadline';

/** A user token as `createUserToken` gave it, with the key that belongs to it. */
export interface PinToken {
  userToken: string;
  encryptionKey?: string;
  /** `performance.now()` at receipt: nothing compares the API's clock with ours (field case CL-13). */
  since: number;
}

/** A token is good for 60 minutes; one that may be about to expire is not used. Only a hint: the API's answer decides. */
const EARLY_MS = 55 * 60_000;
/** Users whose tokens are kept; the one that was used longest ago makes room. */
const MOST_USERS = 10_000;
/** So long a request waits for its token: it has to be over before its activity is. The token is there for the next one. */
const PATIENCE_MS = 8_000;

export function isTokenRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && USER_TOKEN_REFUSALS.has(error.code);
}

/**
 * Tokens of users with a PIN, which the API key alone can have (DESIGN rule 1): each fetched once however many requests
 * wait for it, through its own bucket, kept until the API refuses it or it is nearly an hour old.
 */
export class UserTokens {
  /** By user id, the one used last at the end. */
  private readonly held = new Map<string, Credential<PinToken>>();

  /** @param permit asked for the right to send in the bucket of `createUserToken` */
  constructor(
    private readonly api: Pick<Api, 'createUserToken'>,
    private readonly permit: (endpoint: OperationId) => Promise<() => void> = () => Promise.resolve(() => {}),
  ) {}

  /**
   * Sends one request with the user's token.
   * @throws ApiError as it came; `dropped` where its token was refused and the next attempt has a new one; what the fetch of
   *   a token was refused for, with the outcome `none`
   */
  async use<T>(userId: string, send: (userToken: string) => Promise<T>): Promise<T> {
    const credential = this.credentialOf(userId);
    const token = await this.tokenOf(credential);
    try {
      const result = await send(token.userToken);
      credential.accepted(token);
      return result;
    } catch (error) {
      if (!isTokenRefusal(error)) throw error;
      throw error.with({ dropped: credential.refused(token) === 'renew' });
    }
  }

  /** A token and key of its own for somebody who needs the pair: never taken from what is kept, repeatable. */
  fresh(userId: string): Promise<PinToken> {
    return this.fetch(userId);
  }

  private credentialOf(userId: string): Credential<PinToken> {
    const credential = this.held.get(userId) ?? new Credential(() => this.fetch(userId));
    this.held.delete(userId);
    this.held.set(userId, credential);
    if (this.held.size > MOST_USERS) this.held.delete(this.held.keys().next().value!);
    return credential;
  }

  private async tokenOf(credential: Credential<PinToken>): Promise<PinToken> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const get = () =>
      untilAborted(credential.get(), patience, () => ownFailure('notSent', 'createUserToken', { local: true }));
    try {
      const token = await get();
      if (performance.now() - token.since < EARLY_MS) return token;
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
