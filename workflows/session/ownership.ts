import { challengeDifference } from '../../src/domain/challengeMatch';
import type { ChallengeFacts } from '../../src/domain/userSession';
import { challengeIdOf, type ChallengeRecord } from './record';
import type { SessionState } from './state';

/** Whose challenge is it? `several`: more than one matches, so something else opens challenges for this user as well. */
export type Ownership = { challenge: ChallengeFacts } | 'none' | 'several';

/**
 * Finds the challenge that a sent request opened, among the challenges that are open now. A challenge does not name the
 * request that opened it. It belongs to the request if it was not open before, has the right type, names no other ids,
 * and is known from no other request. If a later request of the same call also has an unknown outcome, the challenge must have been open
 * before that one was sent.
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
  const known = new Set([...sent.before.openIds, ...knownIds(state)]);
  const sentUntil = sent.taintedAt ?? sent.before.takenAt;
  const later = Object.values(state.records).flatMap(({ request: other, state: theirs }) =>
    theirs.name === 'sent' &&
    theirs.taintedAt !== undefined &&
    other?.call === request.call &&
    theirs.before.takenAt > sentUntil
      ? [theirs.before]
      : [],
  );
  const [own, ...more] = listed.filter(
    (challenge) =>
      challenge.type !== '' &&
      challengeDifference(challenge, request) === undefined &&
      !known.has(challenge.id) &&
      later.every(({ openIds }) => openIds.includes(challenge.id)),
  );
  if (more.length > 0) return 'several';
  return own ? { challenge: own } : 'none';
}

function knownIds({ records, ended }: SessionState): string[] {
  return [...ended.map(({ id }) => id), ...Object.values(records).flatMap((record) => challengeIdOf(record) ?? [])];
}
