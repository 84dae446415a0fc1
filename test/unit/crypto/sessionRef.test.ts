import { sessionRef } from '../../../src/crypto/sessionRef';
import { foreignRing, newRing, oldRing, rotatedRing } from './support';

test('a user keeps one session through a rotation', () => {
  const ref = sessionRef('acme', 'user-1', oldRing());
  expect(sessionRef('acme', 'user-1', rotatedRing())).toBe(ref);
  expect(sessionRef('acme', 'user-1', newRing())).toBe(ref);
});

test('a session ref never changes, since workflow ids of running sessions contain it', () => {
  expect(sessionRef('acme', 'user-1', oldRing())).toBe('cfaekqge02da9jykzxps54seawnthern');
});

test('a session ref differs by entity, user and identity key', () => {
  const refs = [
    sessionRef('acme', 'user-1', oldRing()),
    sessionRef('globex', 'user-1', oldRing()),
    sessionRef('acme', 'user-2', oldRing()),
    sessionRef('acme', 'user-1', foreignRing()),
  ];
  expect(new Set(refs).size).toBe(4);
});
