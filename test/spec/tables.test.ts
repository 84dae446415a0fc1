import { API_ERRORS, findError } from '../../src/api/errors';
import { OPERATION_IDS, findEndpoint } from '../../src/api/contract';
import { Limits } from '../../src/emulator/limits';
import { settingsSchema } from '../../src/emulator/settings';
import { DESERVED } from '../emulator/deserved';
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

/** Operation of each of the specification's endpoints that the contract has under the specification's own path. */
const operations = new Map(
  OPERATION_IDS.map((id) => [unnamed(`${findEndpoint(id).method} ${findEndpoint(id).path}`), id] as const),
);

test('the tables are whole: 75 endpoints, 12 at ten a second, 143 codes, each once', () => {
  expect(ALL_ENDPOINTS).toHaveLength(75);
  expect(new Set(ALL_ENDPOINTS).size).toBe(75);
  expect(TEN_A_SECOND).toHaveLength(12);
  expect(STATUSES).toHaveLength(140);
  expect(ALL_CODES).toHaveLength(143);
});

test('each endpoint is in the contract', () => {
  expect(ALL_ENDPOINTS.filter((endpoint) => !operations.has(endpoint))).toEqual([]);
});

describe('limits', () => {
  const ten = new Set(TEN_A_SECOND.map(unnamed));

  /** Requests that the emulator lets through in one second. */
  function limitOf(endpoint: string): number {
    const limits = new Limits();
    const operation = operations.get(endpoint)!;
    let count = 0;
    while (count <= TEN_LIMIT * GET_LIMIT && limits.take(operation, 0)) count++;
    return count;
  }

  test.each(ALL_ENDPOINTS.filter((endpoint) => !endpoint.includes(' /v2/')))('%s', (endpoint) => {
    const [method] = endpoint.split(' ');
    // The default of other methods is not shown; in public it is that of POST (api-facts 12).
    expect(limitOf(endpoint)).toBe(ten.has(endpoint) ? TEN_LIMIT : method === 'GET' ? GET_LIMIT : POST_LIMIT);
  });

  test('a transaction costs one native token at most, by default', () => {
    expect(settingsSchema.parse({}).maxFeeNative).toBe('1');
  });
});

describe('codes', () => {
  const deserved = Object.values(DESERVED).flat();

  test.each(STATUSES)('%i has HTTP status %i', (code, status) => {
    expect(findError(code)?.status).toBe(status);
  });

  test('all are in the catalogue, with their names', () => {
    expect(ALL_CODES.filter((code) => !API_ERRORS.has(code))).toEqual([]);
    expect(Object.keys(NAMES).map((code) => findError(Number(code))?.name)).toEqual(Object.values(NAMES));
  });

  test('each is earned by a test', () => {
    const earned = new Set(deserved.map(({ code }) => code));
    expect(ALL_CODES.filter((code) => !earned.has(code))).toEqual([]);
  });

  test('is earned with its own status', () => {
    const statuses = new Map(STATUSES);
    expect(deserved.filter(({ code, status }) => (statuses.get(code) ?? status) !== status)).toEqual([]);
  });
});
