import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../src/cli/contractCheck';
import { failureOf } from '../../../src/cli/failure';
import { isClean } from '../../../src/contractCheck';
import { compare, type Difference } from '../../../src/contractCheck/compare';
import { contractOperations } from '../../../src/contractCheck/contractOperations';
import { applyKnown, type KnownDifference } from '../../../src/contractCheck/knownDifferences';
import { publishedOperations } from '../../../src/contractCheck/publishedOperations';
import { testTerminal } from '../cli/terminal';

const DOCUMENTS = join(__dirname, 'documents');
const found = compare(contractOperations(), publishedOperations(DOCUMENTS));

/** The differences of one endpoint, as `kind part at value`. */
const differencesOf = (endpoint: string) =>
  found
    .filter((difference) => difference.endpoint === endpoint)
    .map(({ kind, part, at, value }) => [kind, part, at, value].filter(Boolean).join(' '))
    .toSorted();

test('finds endpoints that only one side has', () => {
  expect(differencesOf('PUT /v1/w3s/walletSets/{setId}/lock')).toEqual(['missing endpoint']);
  expect(differencesOf('GET /v1/w3s/config/entity')).toEqual(['extra endpoint']);
});

test('compares fields, types, enums and required fields of a body, including the ciphertext', () => {
  expect(differencesOf('POST /v1/w3s/developer/walletSets').filter((text) => text.includes('body'))).toEqual([
    'extra body id',
    'missing body colour',
    'type body name',
  ]);
});

test('compares a response with references, allOf and a recursive schema', () => {
  expect(differencesOf('POST /v1/w3s/developer/walletSets').filter((text) => text.includes('response'))).toEqual([
    'extra response data.walletSet.custodyType ENDUSER',
    'missing response data.walletSet.custodyType VAULT',
    'missing response data.walletSet.parent',
    'open response data.walletSet.name',
    'optional response data.walletSet.custodyType',
    'required response data.walletSet.updateDate',
  ]);
});

test('compares a query, including the parameters of the path item', () => {
  expect(differencesOf('GET /v1/w3s/walletSets').filter((text) => text.includes('query'))).toEqual([
    'extra query from',
    'extra query pageAfter',
    'extra query pageBefore',
    'extra query to',
    'missing query order RANDOM',
    'missing query shelf',
    'optional query pageSize',
  ]);
});

test('alternatives require only what all of them require; path parameters may have different names', () => {
  expect(differencesOf('GET /v1/w3s/tokens/{id}')).toEqual([
    'extra response data.token.blockchain',
    'extra response data.token.createDate',
    'extra response data.token.decimals',
    'extra response data.token.name',
    'extra response data.token.standard',
    'extra response data.token.tokenAddress',
    'extra response data.token.updateDate',
    'open response data.token.isNative',
    'required response data.token.isNative',
  ]);
});

test('a path parameter matches the literal segment in the documents', () => {
  expect(differencesOf('GET /v2/fastBurn/{token}/allowance')).toEqual([
    'extra response allowance',
    'extra response lastUpdated',
  ]);
});

describe('known differences', () => {
  const differences: Difference[] = [
    { endpoint: 'GET /a', part: 'response', kind: 'extra', at: 'data.list[].colour' },
    { endpoint: 'GET /a', part: 'query', kind: 'extra', at: 'colour', value: 'RED' },
    { endpoint: 'GET /b', part: 'query', kind: 'extra', at: 'colour', value: 'RED' },
  ];
  const field: KnownDifference = {
    endpoints: ['GET /a'],
    part: 'response',
    kind: 'extra',
    at: ['*.colour'],
    reason: 'new',
  };
  const value: KnownDifference = {
    endpoints: ['GET /*'],
    part: 'query',
    kind: 'extra',
    at: ['colour'],
    values: ['RED'],
    reason: 'newer',
  };

  test('the result is clean if all differences are known', () => {
    const result = applyKnown(differences, [field, value]);
    expect(result.differences.map(({ reason }) => reason)).toEqual(['new', 'newer', 'newer']);
    expect(isClean(result)).toBe(true);
  });

  test('the result is not clean if a difference is unknown', () => {
    const result = applyKnown(differences, [field, { ...value, endpoints: ['GET /a'] }]);
    expect(result.differences.map(({ reason }) => reason)).toEqual(['new', 'newer', undefined]);
    expect(isClean(result)).toBe(false);
  });

  test('a known difference of a field does not match an enum value', () => {
    const result = applyKnown(differences.slice(1, 2), [{ ...field, part: 'query', at: ['colour'] }]);
    expect(result.differences[0]).not.toHaveProperty('reason');
  });

  test('the result is not clean if a pattern is stale, and names the pattern', () => {
    const result = applyKnown(differences, [field, { ...value, values: ['RED', 'BLUE'] }]);
    expect(result.stale).toEqual([{ pattern: 'query extra BLUE', reason: 'newer' }]);
    expect(isClean(result)).toBe(false);
  });
});

describe('walletflow contract-check', () => {
  test('prints the differences by endpoint and exits with 1', async () => {
    const terminal = testTerminal();
    expect(await run(terminal, {}, DOCUMENTS)).toBe(1);
    const text = terminal.outLines.join('\n');
    expect(text).toContain('\nPUT /v1/w3s/walletSets/{setId}/lock\n  ✖ endpoint is only in the documents\n');
    expect(text).toMatch(/\d+ differences: \d+ known, \d+ unknown · \d+ stale patterns$/);
  });

  test('--json prints one line', async () => {
    const terminal = testTerminal();
    expect(await run(terminal, { json: true }, DOCUMENTS)).toBe(1);
    const [line, ...others] = terminal.outLines;
    expect(others).toEqual([]);
    expect(JSON.parse(line!)).toMatchObject({
      differences: expect.arrayContaining([
        { endpoint: 'GET /v1/w3s/walletSets', part: 'query', kind: 'missing', at: 'shelf' },
      ]),
      stale: expect.any(Array),
    });
  });

  test.each([
    ['a missing folder', undefined, /^folder: .*ENOENT/],
    ['an empty folder', {}, /^folder: .* contains no \.yaml, \.yml or \.json file/],
    ['a document of another format', { 'a.yaml': 'swagger: "2.0"' }, /^folder: .*a\.yaml is not an OpenAPI 3 document/],
    ['invalid YAML', { 'a.yaml': 'a: [' }, /^folder: .*a\.yaml is not an OpenAPI 3 document/],
    [
      'a reference without a target',
      { 'a.yaml': 'openapi: 3.0.0\npaths: { /a: { get: { requestBody: { $ref: "#/b" } } } }' },
      /#\/b does not exist/,
    ],
    [
      'a reference to itself',
      { 'a.yaml': 'openapi: 3.0.0\npaths: { /a: { get: { requestBody: { $ref: "#/b" } } } }\nb: { $ref: "#/b" }' },
      /get \/a: #\/b refers to itself/,
    ],
    [
      'a schema that is null',
      {
        'a.json':
          '{"openapi":"3.0.0","paths":{"/a":{"get":{"requestBody":{"content":{"application/json":{"schema":null}}}}}}}',
      },
      /get \/a: a schema is null/,
    ],
    ['a path that is null', { 'a.yaml': 'openapi: 3.0.0\npaths: { /a: null }' }, /paths \/a is null/],
  ])('exits with 2 for %s', async (_case, files, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'documents-'));
    for (const [name, text] of Object.entries(files ?? {})) writeFileSync(join(folder, name), text as string);
    const error = await run(testTerminal(), {}, files ? folder : join(folder, 'none')).catch(
      (thrown: unknown) => thrown,
    );
    rmSync(folder, { recursive: true });
    expect(failureOf(error)).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
  });
});
