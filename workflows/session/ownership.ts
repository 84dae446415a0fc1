import { challengeDifference } from '../../src/domain/challengeMatch';
import type { ChallengeFacts } from '../../src/domain/userSession';
import { challengeIdOf, type ChallengeRecord } from './record';
import type { SessionState } from './state';

/** Whose challenge is it? `several`: more than one request or program may have opened it. */
export type Ownership = { challenge: ChallengeFacts } | 'none' | 'several';

/**
 * Finds the challenge that a sent request opened, among the challenges that are open now. A challenge does not name the
 * request that opened it. It belongs to the request if it was not open before, has the right type, names no other ids,
 * and is known from no other request. If a later request of the same call also has an unknown outcome, the challenge must
 * have been open before that one was sent. If it is unknown what was open before, any other program may have opened it.
 *
 * Challenges known only from a webhook are ignored: a late webhook may report one that ended before the request.
 */
export function ownChallenge(
  state: SessionState,
  record: ChallengeRecord,
  listed: readonly ChallengeFacts[],
): Ownership {
  const { request, state: sent } = record;
  if (!request || sent.name !== 'sent') return 'none';
  const known = new Set([...(sent.before.openIds ?? []), ...knownIds(state)]);
  const sentUntil = sent.taintedAt ?? sent.before.takenAt;
  const rivals = Object.values(state.records).flatMap(({ request: other, state: theirs }) =>
    theirs.name === 'sent' && theirs !== sent && theirs.taintedAt !== undefined && other?.call === request.call
      ? [theirs.before]
      : [],
  );
  const later = rivals.filter(({ openIds, takenAt }) => openIds && takenAt > sentUntil);
  const [own, ...more] = listed.filter(
    (challenge) =>
      challenge.type !== '' &&
      challengeDifference(challenge, request) === undefined &&
      !known.has(challenge.id) &&
      later.every(({ openIds }) => openIds!.includes(challenge.id)),
  );
  if (!own) return 'none';
  const isUnclear = [sent.before, ...rivals].some(({ openIds }) => openIds === undefined);
  return isUnclear || more.length > 0 ? 'several' : { challenge: own };
}

function knownIds({ records, ended }: SessionState): string[] {
  return [...ended.map(({ id }) => id), ...Object.values(records).flatMap((record) => challengeIdOf(record) ?? [])];
}
