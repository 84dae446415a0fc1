import type { Sealer } from '../crypto/sealing';
import { type SealedBearerToken, TOKEN_FIELD } from '../domain/messages';

/** Maximum length of a token. No longer token fits into the headers of a request. */
const MAX_TOKEN_LENGTH = 16_384;

/**
 * Why a value cannot be a token, and what to do; undefined if it can. Workers verify the token itself.
 * @param actor whose token it is: that of a flow's initiator, or of a message's sender
 */
export function tokenProblem(token: unknown, actor: 'initiator' | 'sender'): string | undefined {
  if (token === undefined) return `token: is missing; pass { token }, the JWT of the ${actor}`;
  if (typeof token === 'string' && token !== '' && token.length <= MAX_TOKEN_LENGTH) return undefined;
  return `token: must be a string of 1 to ${MAX_TOKEN_LENGTH} characters; use the JWT of the ${actor}`;
}

/** Seals an actor's token for one flow. @param flow workflow id */
export async function sealToken(sealer: Sealer, flow: string, token: string): Promise<SealedBearerToken> {
  return { token: await sealer.seal(token, { flow, field: TOKEN_FIELD }) };
}
