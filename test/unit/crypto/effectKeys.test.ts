import fc from 'fast-check';
import { idempotencyKey, parseRefId, REF_ID_MAX_LENGTH, refId } from '../../../src/crypto/effectKeys';
import type { EffectRef } from '../../../src/domain/effect';
import { foreignRing, newRing, oldRing, rotatedRing } from './support';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const EFFECT: EffectRef = { flow: 'transfer', ref: 'inv-42', step: 'submit', ordinal: 1 };

const entities = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,31}$/);
const effects: fc.Arbitrary<EffectRef> = fc.record({
  flow: fc.stringMatching(/^[a-z][A-Za-z0-9]{0,31}$/),
  ref: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,119}$/),
  step: fc.stringMatching(/^[a-z][A-Za-z0-9]{0,29}$/),
  ordinal: fc.integer({ min: 1, max: 999_999 }),
});

/** Every effect that differs from `EFFECT` in one part, and the same effect of another entity. */
const NEIGHBOURS: [entity: string, effect: EffectRef][] = [
  ['globex', EFFECT],
  ['acme', { ...EFFECT, flow: 'payout' }],
  ['acme', { ...EFFECT, ref: 'inv-421' }],
  ['acme', { ...EFFECT, step: 'accelerate' }],
  ['acme', { ...EFFECT, ordinal: 2 }],
];

describe('idempotencyKey', () => {
  test('is a UUID in v4 form, the same in every process and after a rotation, even without the old key', () => {
    fc.assert(
      fc.property(entities, effects, (entity, effect) => {
        const key = idempotencyKey(entity, effect, oldRing());
        expect(key).toMatch(UUID_V4);
        expect(idempotencyKey(entity, { ...effect }, rotatedRing())).toBe(key);
        expect(idempotencyKey(entity, { ...effect }, newRing())).toBe(key);
      }),
    );
  });

  test('never changes, since running flows depend on it', () => {
    expect(idempotencyKey('acme', EFFECT, oldRing())).toBe('d3f03667-0ee4-4eb4-a9b5-246b75c6e73f');
  });

  test('differs by entity, flow, ref, step, ordinal and identity key', () => {
    const keys = [['acme', EFFECT] as const, ...NEIGHBOURS].map(([entity, effect]) =>
      idempotencyKey(entity, effect, rotatedRing()),
    );
    expect(new Set([...keys, idempotencyKey('acme', EFFECT, foreignRing())]).size).toBe(2 + NEIGHBOURS.length);
  });
});

describe('refId', () => {
  test('never changes, since transactions keep it forever', () => {
    expect(refId('acme', EFFECT, oldRing())).toBe('transfer/inv-42~submit.1~psm018xt');
  });

  test('can be parsed back to the effect, even after a rotation and without the old key, and stays within its maximum length', () => {
    fc.assert(
      fc.property(entities, effects, (entity, effect) => {
        const text = refId(entity, effect, oldRing());
        expect(text.length).toBeLessThanOrEqual(REF_ID_MAX_LENGTH);
        expect(parseRefId(text, entity, rotatedRing())).toEqual(effect);
        expect(parseRefId(text, entity, newRing())).toEqual(effect);
      }),
    );
  });

  test('has exactly the maximum length for the longest effect', () => {
    const longest = { ...EFFECT, flow: 'f'.repeat(32), ref: 'r'.repeat(120), step: 's'.repeat(30), ordinal: 999_999 };
    expect(refId('acme', longest, oldRing())).toHaveLength(REF_ID_MAX_LENGTH);
  });

  test('is accepted only with the right MAC, not one of another entity, effect or key ring', () => {
    const text = refId('acme', EFFECT, oldRing());
    expect(parseRefId(text, 'globex', rotatedRing())).toBeUndefined();
    expect(parseRefId(text, 'acme', foreignRing())).toBeUndefined();
    const mac = text.slice(-8);
    for (const [entity, effect] of NEIGHBOURS.slice(1)) {
      const forged = refId(entity, effect, oldRing()).slice(0, -8) + mac;
      expect(parseRefId(forged, 'acme', rotatedRing())).toBeUndefined();
    }
  });

  test('is not accepted if any character is changed', () => {
    const text = refId('acme', EFFECT, oldRing());
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        fc.pre(text[at] !== character);
        expect(parseRefId(text.slice(0, at) + character + text.slice(at + 1), 'acme', rotatedRing())).toBeUndefined();
      }),
    );
  });

  test('is undefined and not an error for any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(parseRefId(text, 'acme', oldRing())).toBeUndefined()));
    const ours = refId('acme', EFFECT, oldRing());
    const near = [
      '',
      'inv-42',
      `${ours}\n`,
      ` ${ours}`,
      ours.toUpperCase(),
      ours.replace('.1~', '.01~'),
      ours.slice(0, -1),
    ];
    expect(near.map((text) => parseRefId(text, 'acme', oldRing()))).toEqual(near.map(() => undefined));
  });
});

test.each([
  [{ flow: 'Transfer' }, 'flow: "Transfer" does not match'],
  [{ flow: 'f'.repeat(33) }, 'flow: '],
  [{ step: 'sub~mit' }, 'step: "sub~mit" does not match'],
  [{ step: 's'.repeat(31) }, 'step: '],
  [{ ordinal: 0 }, 'ordinal: 0 is not a whole number from 1'],
  [{ ordinal: 1.5 }, 'ordinal: '],
  [{ ordinal: 1_000_000 }, 'ordinal: '],
  [{ ref: 'r'.repeat(121) }, 'ref: must have 1 to 120 characters'],
  [{ ref: 'a/b' }, 'ref: '],
])('both reject %p', (part, message) => {
  const effect = { ...EFFECT, ...part };
  for (const make of [idempotencyKey, refId]) {
    expect(() => make('acme', effect, oldRing())).toThrow(RangeError);
    expect(() => make('acme', effect, oldRing())).toThrow(message);
  }
});
