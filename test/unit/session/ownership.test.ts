import type { ChallengeFacts, ChallengeRequest } from '../../../src/domain/userSession';
import { ownChallenge } from '../../../workflows/session/ownership';
import type { ChallengeRecord } from '../../../workflows/session/record';
import { initialState } from '../../../workflows/session/state';
import { effectOf } from './driver';

const REQUEST: ChallengeRequest = {
  effect: effectOf('A', 1),
  call: 'accelerateUserTransaction',
  params: { id: 'tx' },
  body: {},
};
const RECORD: ChallengeRecord = {
  request: REQUEST,
  requestedAt: 0,
  firstOrdinal: 1,
  type: 'ACCELERATE_TRANSACTION',
  holder: 'A',
  waiting: [],
  turn: 1,
  state: { name: 'sent', phase: 'lookingUp', before: { openIds: ['old'], takenAt: 0 } },
};
const OWN: ChallengeFacts = { id: 'new', type: 'ACCELERATE_TRANSACTION', status: 'PENDING', correlationIds: [] };

const own = (...listed: ChallengeFacts[]) =>
  ownChallenge(initialState({ auth: { method: 'pin', userId: 'user' } }, 0), RECORD, listed);

describe('whose challenge a lookup found', () => {
  test.each<[string, Partial<ChallengeFacts>, boolean]>([
    ['that names nothing yet', {}, true],
    ['that names the transaction', { correlationIds: ['tx'] }, true],
    ['that names another transaction', { correlationIds: ['other'] }, false],
    ['that names several', { correlationIds: ['tx', 'other'] }, false],
    ['of another type', { type: 'CREATE_TRANSACTION' }, false],
    ['without a type', { type: '' }, false],
    ['that was open before the request', { id: 'old' }, false],
  ])('a challenge %s', (_, changes, isOwn) => {
    const challenge = { ...OWN, ...changes };
    expect(own(challenge)).toEqual(isOwn ? { challenge } : 'none');
  });

  test('one of two, if the other names another transaction', () => {
    expect(own({ ...OWN, id: 'theirs', correlationIds: ['other'] }, OWN)).toEqual({ challenge: OWN });
    expect(own({ ...OWN, id: 'theirs' }, OWN)).toBe('several');
  });
});
