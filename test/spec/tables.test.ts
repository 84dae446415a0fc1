import { findEndpoint, OPERATION_IDS } from '../../src/api/contract';
import { API_ERRORS, findError } from '../../src/api/errors';
import { RateLimits } from '../../src/emulator/requests/rateLimits';
import { settingsSchema } from '../../src/emulator/settings';
import { ERROR_CODE_CASES } from '../emulator/errorCodes';
import {
  ALL_CODES,
  ALL_ENDPOINTS,
  GET_LIMIT,
  NAMES,
  POST_LIMIT,
  STATUSES,
  TEN_A_SECOND,
  TEN_LIMIT,
  unnamed,
} from './tables';

/** Operation ids by endpoint, for the paths of the specification. */
const operations = new Map(
  OPERATION_IDS.map((id) => [unnamed(`${findEndpoint(id).method} ${findEndpoint(id).path}`), id] as const),
);

test('the tables are complete: 75 endpoints, 12 of them with ten requests per second, and 143 codes, each once', () => {
  expect(ALL_ENDPOINTS).toHaveLength(75);
  expect(new Set(ALL_ENDPOINTS).size).toBe(75);
  expect(TEN_A_SECOND).toHaveLength(12);
  expect(STATUSES).toHaveLength(140);
  expect(ALL_CODES).toHaveLength(143);
});

test('the contract has every endpoint', () => {
  expect(ALL_ENDPOINTS.filter((endpoint) => !operations.has(endpoint))).toEqual([]);
});

describe('the emulator', () => {
  const ten = new Set(TEN_A_SECOND.map(unnamed));

  /** The number of requests that the emulator accepts in one second. */
  function limitOf(endpoint: string): number {
    const limits = new RateLimits();
    const operation = operations.get(endpoint)!;
    let count = 0;
    while (count <= TEN_LIMIT * GET_LIMIT && limits.take(operation, 0)) count++;
    return count;
  }

  test.each(ALL_ENDPOINTS.filter((endpoint) => !endpoint.includes(' /v2/')))('limits %s as specified', (endpoint) => {
    const [method] = endpoint.split(' ');
    // The specification gives no default for other methods. Public documentation gives that of POST
    // (docs/api-behavior.md#rate-limits).
    expect(limitOf(endpoint)).toBe(ten.has(endpoint) ? TEN_LIMIT : method === 'GET' ? GET_LIMIT : POST_LIMIT);
  });

  test('by default a transaction costs at most one native token', () => {
    expect(settingsSchema.parse({}).maxFeeNative).toBe('1');
  });
});

describe('error codes', () => {
  const cases = Object.values(ERROR_CODE_CASES).flat();

  test.each(STATUSES)('%i has HTTP status %i', (code, status) => {
    expect(findError(code)?.status).toBe(status);
  });

  test('the catalogue has all codes, with their names', () => {
    expect(ALL_CODES.filter((code) => !API_ERRORS.has(code))).toEqual([]);
    expect(Object.keys(NAMES).map((code) => findError(Number(code))?.name)).toEqual(Object.values(NAMES));
  });

  test('a test triggers every code', () => {
    const triggered = new Set(cases.map(({ code }) => code));
    expect(ALL_CODES.filter((code) => !triggered.has(code))).toEqual([]);
  });

  test('every code is triggered with its own status', () => {
    const statuses = new Map(STATUSES);
    expect(cases.filter(({ code, status }) => (statuses.get(code) ?? status) !== status)).toEqual([]);
  });
});
