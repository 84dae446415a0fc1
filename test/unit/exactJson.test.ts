import fc from 'fast-check';
import { decodeUtf8, parseExactJson } from '../../src/exactJson';

const parsed = (text: string) => {
  const result = parseExactJson(text);
  if (typeof result === 'string') throw new Error(result);
  return result.value;
};

/** `JSON.parse`, with integers beyond 2^53 as text. */
const expected = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? JSON.stringify(value) : value,
  );

test('any JSON without doubled names is read as JSON.parse reads it, except for large integers', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (text, indentation) => {
      const spaced = JSON.stringify(JSON.parse(text), undefined, indentation);
      expect(parsed(spaced)).toEqual(expected(spaced));
    }),
  );
});

test('what JSON.parse refuses is malformed', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', '/', '\\', '\u0001', '\uFEFF'),
      (text, at, x) => {
        const broken = text.slice(0, at % (text.length + 1)) + x + text.slice((at % (text.length + 1)) + 1);
        try {
          JSON.parse(broken);
        } catch {
          expect(parseExactJson(broken)).toBe('malformed');
        }
      },
    ),
    { numRuns: 2_000 },
  );
  for (const text of ['// a comment\n{}', '{"a":1,}', "{'a':1}", '\uFEFF{}', '[1 2]', '', '01', '"\t"']) {
    expect(parseExactJson(text)).toBe('malformed');
  }
});

test('a name that occurs twice in an object is refused at any depth, however it is written', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"y":{"b":null,"c":0,"b":null}}]}',
    '{"__proto__":1,"__proto__":2}',
  ]) {
    expect(parseExactJson(text)).toBe('doubledName');
  }
  expect(parsed('[{"a":1},{"a":1,"A":1,"b":{"a":1}}]')).toEqual([{ a: 1 }, { a: 1, A: 1, b: { a: 1 } }]);
  expect(Object.keys(parsed('{"__proto__":{"polluted":true}}') as object)).toEqual(['__proto__']);
});

test.each<[text: string, value: number | string]>([
  ['12345678901234567890', '12345678901234567890'],
  ['-9007199254740993', '-9007199254740993'],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740991', 9007199254740991],
  ['1000000000000000000000', '1000000000000000000000'],
  ['0.1', 0.1],
  ['1.50', 1.5],
  ['1.5e3', 1500],
  ['0.000001', 0.000001],
  ['0.12345678901234567890', '0.12345678901234567890'],
  ['1.0000000000000000001', '1.0000000000000000001'],
  ['1e400', '1e400'],
  ['1e-400', '1e-400'],
  ['0e999999999', 0],
  ['1e999999999999999999999', '1e999999999999999999999'],
])('the number %s is read as %p', (text, value) => {
  expect(parsed(`{"a":[${text}]}`)).toEqual({ a: [value] });
});

test('every number of a double survives, and every integer of any size', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const text = JSON.stringify(number);
      expect(parsed(text)).toBe(expected(text));
    }),
  );
  fc.assert(fc.property(fc.bigInt(), (integer) => BigInt(parsed(String(integer)) as string | number) === integer));
});

test('JSON that nests deeper than any resource of the API is malformed', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(parsed(nested(64))).toEqual(JSON.parse(nested(64)));
  for (const depth of [65, 5_000, 120_000]) expect(parseExactJson(nested(depth))).toBe('malformed');
});

test('only valid UTF-8 is decoded', () => {
  expect(decodeUtf8(Buffer.from('café 💶'))).toBe('café 💶');
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0x22, 0xe2, 0x82, 0x22]]) {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
  }
});
