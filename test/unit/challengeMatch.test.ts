import { CHALLENGE_CALL_NAMES, CHALLENGE_CALLS } from '../../src/domain/challengeCalls';
import { challengeDifference } from '../../src/domain/challengeMatch';

const params = { id: 'tx' };

describe.each(CHALLENGE_CALL_NAMES)('a challenge of %s', (call) => {
  const { type, names } = CHALLENGE_CALLS[call];
  const difference = (shown: { type: string; correlationIds?: string[] }) =>
    challengeDifference({ correlationIds: [], ...shown }, { call, params });

  test('may show no ids, or no type', () => {
    expect(difference({ type })).toBeUndefined();
    expect(difference({ type: '' })).toBeUndefined();
  });

  test('differs if it shows another type', () => {
    for (const other of Object.values(CHALLENGE_CALLS).map((row) => row.type))
      expect(difference({ type: other }) === undefined).toBe(other === type);
  });

  test('may show the ids of what its call makes, and no others', () => {
    expect(difference({ type, correlationIds: ['tx'] })).toBeUndefined();
    expect(difference({ type, correlationIds: ['other'] }) === undefined).toBe(names !== 'target');
    expect(difference({ type, correlationIds: ['tx', 'other'] }) === undefined).toBe(names === 'several');
  });
});
