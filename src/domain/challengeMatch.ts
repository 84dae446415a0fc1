import { CHALLENGE_CALLS } from './challengeCalls';
import type { ChallengeFacts, ChallengeRequest } from './userSession';

/** The part of a request that its challenge shows again. */
export type ChallengeShape = Pick<ChallengeRequest, 'call' | 'params'>;

/** Which `correlationIds` a challenge may show. Until it is complete, it may show none. */
const IDS = {
  one: ({ length }) => length <= 1,
  target: (ids, { params }) => ids.every((id) => id === params?.id),
  several: () => true,
} satisfies Record<string, (ids: readonly string[], request: ChallengeShape) => boolean>;

/**
 * What is wrong with a challenge that should be the one of a request, in one line; undefined if it can be that one. Type
 * and `correlationIds` are all that a challenge shows of its request (docs/api-behavior.md#users-and-challenges).
 */
export function challengeDifference(
  { type, correlationIds }: Pick<ChallengeFacts, 'type' | 'correlationIds'>,
  request: ChallengeShape,
): string | undefined {
  const call = CHALLENGE_CALLS[request.call];
  if (type !== '' && type !== call.type) return `its type is ${type}, not ${call.type}`;
  return IDS[call.names](correlationIds, request) ? undefined : `it names ${correlationIds.join(', ')}`;
}
