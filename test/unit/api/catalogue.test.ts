import { CALL_FAILURES } from '../../../src/api';
import { API_ERRORS, type ApiErrorEntry, findError, kindOf } from '../../../src/api/errors';
import { GENERAL_ERRORS } from '../../../src/api/errors/catalogue/general';
import { ERROR_KINDS, type ErrorKind } from '../../../src/domain/errorKind';
import { STATUSES } from '../../spec/tables';

// The catalogue is compared with a second copy of the facts, so a typing error in one of them shows. The copy for the codes of
// the API specification is test/spec/tables.ts.

/** HTTP status → codes that are missing in the API specification but listed in the public error reference. */
const PUBLISHED: Record<number, readonly number[]> = {
  400: [
    175002, 175003, 175005, 175006, 175007, 175008, 175009, 175010, 175011, 175012, 175013, 175202, 175203, 175204,
    175205, 175303, 175401,
  ],
  401: [175405],
  403: [175409],
  404: [175001, 175201, 175301, 175408],
  409: [175004, 175302, 175403],
};

/** Codes that only the official SDKs list. Only 177001–177010 have a published status (400). */
const SDK_ONLY: readonly number[] = [
  110700, 110701, 110702, 110703, 155158, 155159, 155160, 155254, 155257, 155258, 155262, 155508, 155514, 155516,
  155517, 156031, 156032, 175402, 175404, 175406, 175407, 175410, 177001, 177002, 177003, 177004, 177005, 177006,
  177007, 177008, 177009, 177010, 177011, 177012, 177013, 177014, 177015, 177016, 177017, 177018, 177019, 177020,
  177021, 177022, 177023, 177024, 177025, 177026, 177301, 177302, 177303, 177304, 177305, 177601, 177602, 177603,
  177604, 177605, 177606, 177607, 177901,
];

/** Codes without a specific condition, and statuses of responses without a code. */
const GENERAL: readonly number[] = [-1, 2, 3, 400, 401, 403, 404, 409, 429, 500, 502, 503, 504];

/** Kind → codes. Only HTTP 429 is `throttled`. */
const KINDS: Record<Exclude<ErrorKind, 'throttled'>, readonly number[]> = {
  transient: [155210, 175012, 175407, 177009],
  wait: [
    155119, 155120, 155141, 155142, 155202, 155203, 155264, 155505, 155517, 175009, 177001, 177002, 177026, 177303,
  ],
  renew: [
    155103, 155104, 155105, 155116, 155118, 155121, 155122, 155130, 155132, 155143, 155144, 155145, 155146, 155233,
    156004, 156013, 177602, 177604,
  ],
  resolve: [
    110703, 155101, 155106, 155107, 155108, 155215, 155227, 155229, 155601, 156012, 156015, 156020, 156021, 175004,
    175301, 175302, 175403, 175408, 177607,
  ],
  user: [155112, 155113, 155115, 155131, 155133, 155134, 155136, 155137, 155139],
  attention: [
    155109, 155114, 155117, 155123, 155124, 155138, 155140, 155150, 155151, 155152, 155154, 155155, 155156, 155157,
    155158, 155159, 155160, 155201, 155204, 155205, 155206, 155207, 155211, 155258, 155262, 155502, 155506, 155509,
    155512, 175202, 175406, 177003, 177004, 177005, 177006, 177010, 177018, 177019, 177020, 177021, 177022, 177023,
    177025, 177302, 177305,
  ],
  halt: [156007, 156008, 156010, 156016, 156019, 175405, 175409, 177603, 177605, 177606],
  refused: [
    156001, 156002, 156003, 156005, 110700, 110701, 110702, 155102, 155110, 155111, 155135, 155208, 155209, 155218,
    155219, 155220, 155221, 155222, 155223, 155224, 155225, 155226, 155228, 155230, 155231, 155232, 155234, 155235,
    155236, 155237, 155238, 155239, 155240, 155241, 155242, 155243, 155244, 155245, 155247, 155254, 155257, 155501,
    155503, 155504, 155507, 155508, 155510, 155511, 155514, 155515, 155516, 155801, 155802, 155803, 155804, 155805,
    155806, 155807, 155808, 156006, 156009, 156011, 156014, 156017, 156018, 156023, 156024, 156025, 156026, 156027,
    156030, 156031, 156032, 175001, 175002, 175003, 175005, 175006, 175007, 175008, 175010, 175011, 175013, 175201,
    175203, 175204, 175205, 175303, 175401, 175402, 175404, 175410, 177007, 177008, 177011, 177012, 177013, 177014,
    177015, 177016, 177017, 177024, 177301, 177304, 177601, 177901, 280001, 280002,
  ],
};

/** `{ heading: codes }` as `[code, heading]` rows. */
function invert(groups: Record<string, readonly number[]>): [code: number, heading: string][] {
  return Object.entries(groups).flatMap(([heading, codes]) => codes.map((code): [number, string] => [code, heading]));
}

const byNumber = (a: number, b: number) => a - b;
const entries: ApiErrorEntry[] = [...API_ERRORS.values()];
const specific = entries.filter(({ code }) => !GENERAL.includes(code));

describe('the error catalogue', () => {
  const published = invert(PUBLISHED);

  test('has each code of the sources once and no other codes', () => {
    const expected = [...[...STATUSES, ...published].map(([code]) => code), ...SDK_ONLY, ...GENERAL].sort(byNumber);
    expect(expected).toHaveLength(new Set(expected).size);
    expect(entries.map(({ code }) => code).sort(byNumber)).toEqual(expected);
  });

  test.each(published)('%i has HTTP status %s', (code, status) => {
    expect(findError(code)?.status).toBe(Number(status));
  });

  test('gives every code an error status', () => {
    expect(entries.filter(({ status }) => !(status >= 400 && status < 600))).toEqual([]);
  });

  test('gives every specific code the kind of the sources', () => {
    const actual = Object.fromEntries(specific.map(({ code, kind }) => [code, kind]));
    expect(actual).toEqual(Object.fromEntries(invert(KINDS)));
  });

  test('separates general codes from specific ones', () => {
    expect(GENERAL_ERRORS.map(({ code }) => code).sort(byNumber)).toEqual([...GENERAL].sort(byNumber));
  });

  test('leaves out codes that only the client SDKs raise', () => {
    expect(entries.filter(({ code }) => code >= 155701 && code <= 155721)).toEqual([]);
  });

  test('lists no code under two kinds', () => {
    expect(new Set(invert(KINDS).map(([code]) => code)).size).toBe(invert(KINDS).length);
  });

  test('has unique names', () => {
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });

  test.each(entries.map((entry) => [entry.code, entry] as const))(
    '%i has a well-formed name, condition and remedy',
    (_code, entry) => {
      expect(entry.name).toMatch(/^(?:[A-Z][A-Za-z0-9]+|EXT_[A-Z_]+)$/);
      expect(ERROR_KINDS).toContain(entry.kind);
      expect(entry.condition).toMatch(/^[A-Z].+[^.\s]$/);
      expect(entry.remedy).toMatch(/^[a-z].+[^.\s]$/);
    },
  );

  test('no remedy says "retry": that is a decision, and a failed flow shows the remedy when no decision is open', () => {
    const remedies = [...entries, ...Object.values(CALL_FAILURES)].map(({ remedy }) => remedy);
    expect(remedies.filter((remedy) => /\bretry\b/.test(remedy))).toEqual([]);
  });
});

describe('kindOf', () => {
  test.each<[string, ErrorKind, Parameters<typeof kindOf>[0]]>([
    ['a code of the catalogue', 'attention', { status: 400, code: 155201 }],
    ['a code of the catalogue, whatever its status', 'attention', { status: 500, code: 155201 }],
    [
      'a code that the endpoint overrides',
      'refused',
      { status: 409, code: 155107, endpointKinds: { 155107: 'refused' } },
    ],
    [
      'a code that the endpoint does not override',
      'resolve',
      { status: 409, code: 155106, endpointKinds: { 155107: 'refused' } },
    ],
    ['a status that the endpoint overrides', 'wait', { status: 404, endpointKinds: { 404: 'wait' } }],
    ['429 without a body', 'throttled', { status: 429 }],
    ['429 with a general code', 'throttled', { status: 429, code: 2 }],
    ['429 with an unknown code', 'throttled', { status: 429, code: 999_999 }],
    ['401 without a code', 'halt', { status: 401 }],
    ['401 with the status as code', 'halt', { status: 401, code: 401 }],
    ['401 for an unknown user token', 'renew', { status: 401, code: 155103 }],
    ['code 3', 'halt', { status: 403, code: 3 }],
    ['403 without a code', 'refused', { status: 403 }],
    ['code -1', 'transient', { status: 400, code: -1 }],
    ['code 2', 'refused', { status: 400, code: 2 }],
    ['500 with a general code', 'transient', { status: 500, code: 2 }],
    ['500 with an unknown code', 'transient', { status: 500, code: 999_999 }],
    ['a 5xx that is not in the catalogue', 'transient', { status: 520 }],
    ['a redirect', 'transient', { status: 302 }],
    ['a 2xx with an unusable body', 'transient', { status: 200 }],
    ['404 without a code', 'refused', { status: 404 }],
    ['a 4xx that is not in the catalogue', 'refused', { status: 418 }],
    ['an unknown code on a 4xx', 'refused', { status: 400, code: 999_999 }],
  ])('%s: %s', (_case, kind, response) => {
    expect(kindOf(response)).toBe(kind);
  });
});
