import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../src/cli/contractCheck';
import { failureOf } from '../../../src/cli/failure';
import { isSettled } from '../../../src/contractCheck';
import { type Difference, compare } from '../../../src/contractCheck/compare';
import { contractOperations } from '../../../src/contractCheck/contractOperations';
import { publishedOperations } from '../../../src/contractCheck/publishedOperations';
import { type Known, settle } from '../../../src/contractCheck/settle';
import { testTerminal } from '../cli/terminal';

const DOCUMENTS = join(__dirname, 'documents');
const found = compare(contractOperations(), publishedOperations(DOCUMENTS));

/** As `kind part at value`, of one endpoint. */
const of = (endpoint: string) =>
  found
    .filter((difference) => difference.endpoint === endpoint)
    .map(({ kind, part, at, value }) => [kind, part, at, value].filter(Boolean).join(' '))
    .toSorted();

test('an endpoint that one side lacks', () => {
  expect(of('PUT /v1/w3s/walletSets/{setId}/lock')).toEqual(['missing endpoint']);
  expect(of('GET /v1/w3s/config/entity')).toEqual(['extra endpoint']);
});

test('fields, types, enums and what is required of a body, ciphertext included', () => {
  expect(of('POST /v1/w3s/developer/walletSets').filter((text) => text.includes('body'))).toEqual([
    'extra body id',
    'missing body colour',
    'type body name',
  ]);
});

test('the same of an answer: references, allOf, a schema that contains itself', () => {
  expect(of('POST /v1/w3s/developer/walletSets').filter((text) => text.includes('answer'))).toEqual([
    'extra answer data.walletSet.custodyType ENDUSER',
    'missing answer data.walletSet.custodyType VAULT',
    'missing answer data.walletSet.parent',
    'open answer data.walletSet.name',
    'optional answer data.walletSet.custodyType',
    'required answer data.walletSet.updateDate',
  ]);
});

test('a query, with the parameters of the whole path', () => {
  expect(of('GET /v1/w3s/walletSets').filter((text) => text.includes('query'))).toEqual([
    'extra query from',
    'extra query pageAfter',
    'extra query pageBefore',
    'extra query to',
    'missing query order RANDOM',
    'missing query shelf',
    'optional query pageSize',
  ]);
});

test('alternatives require what each of them requires; parameters may have another name', () => {
  expect(of('GET /v1/w3s/tokens/{id}')).toEqual([
    'extra answer data.token.blockchain',
    'extra answer data.token.createDate',
    'extra answer data.token.decimals',
    'extra answer data.token.name',
    'extra answer data.token.standard',
    'extra answer data.token.tokenAddress',
    'extra answer data.token.updateDate',
    'open answer data.token.isNative',
    'required answer data.token.isNative',
  ]);
});

test('a parameter that the documents write out', () => {
  expect(of('GET /v2/fastBurn/{token}/allowance')).toEqual(['extra answer allowance', 'extra answer lastUpdated']);
});

describe('what is known', () => {
  const differences: Difference[] = [
    { endpoint: 'GET /a', part: 'answer', kind: 'extra', at: 'data.list[].colour' },
    { endpoint: 'GET /a', part: 'query', kind: 'extra', at: 'colour', value: 'RED' },
    { endpoint: 'GET /b', part: 'query', kind: 'extra', at: 'colour', value: 'RED' },
  ];
  const field: Known = { endpoints: ['GET /a'], part: 'answer', kind: 'extra', at: ['*.colour'], reason: 'new' };
  const value: Known = {
    endpoints: ['GET /*'],
    part: 'query',
    kind: 'extra',
    at: ['colour'],
    values: ['RED'],
    reason: 'newer',
  };

  test('all of it: settled', () => {
    const settled = settle(differences, [field, value]);
    expect(settled.differences.map(({ reason }) => reason)).toEqual(['new', 'newer', 'newer']);
    expect(isSettled(settled)).toBe(true);
  });

  test('one that is not: not settled', () => {
    const settled = settle(differences, [field, { ...value, endpoints: ['GET /a'] }]);
    expect(settled.differences.map(({ reason }) => reason)).toEqual(['new', 'newer', undefined]);
    expect(isSettled(settled)).toBe(false);
  });

  test('a row for fields knows no values, nor the other way round', () => {
    const settled = settle(differences.slice(1, 2), [{ ...field, part: 'query', at: ['colour'] }]);
    expect(settled.differences[0]).not.toHaveProperty('reason');
  });

  test('one that is no more: not settled, and named', () => {
    const settled = settle(differences, [field, { ...value, values: ['RED', 'BLUE'] }]);
    expect(settled.stale).toEqual([{ pattern: 'query extra BLUE', reason: 'newer' }]);
    expect(isSettled(settled)).toBe(false);
  });
});

describe('walletflow contract-check', () => {
  test('prints what differs, by endpoint, and ends with 1', async () => {
    const terminal = testTerminal();
    expect(await run(terminal, {}, DOCUMENTS)).toBe(1);
    const text = terminal.outLines.join('\n');
    expect(text).toContain('\nPUT /v1/w3s/walletSets/{setId}/lock\n  ✖ endpoint is only in the documents\n');
    expect(text).toMatch(/\d+ differences: \d+ known, \d+ not · \d+ known ones are no more$/);
  });

  test('--json: one line', async () => {
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
    ['no folder', undefined, /^folder: .*ENOENT/],
    ['nothing in it', {}, /^folder: .* holds no \.yaml, \.yml or \.json file/],
    ['something else in it', { 'a.yaml': 'swagger: "2.0"' }, /^folder: .*a\.yaml is no OpenAPI 3 document/],
    ['broken YAML', { 'a.yaml': 'a: [' }, /^folder: .*a\.yaml is no OpenAPI 3 document/],
    [
      'a reference that leads nowhere',
      { 'a.yaml': 'openapi: 3.0.0\npaths: { /a: { get: { requestBody: { $ref: "#/b" } } } }' },
      /nothing is at #\/b/,
    ],
    [
      'a reference to itself',
      { 'a.yaml': 'openapi: 3.0.0\npaths: { /a: { get: { requestBody: { $ref: "#/b" } } } }\nb: { $ref: "#/b" }' },
      /get \/a: #\/b leads to itself/,
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
  ])('%s: 2', async (_case, files, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'documents-'));
    for (const [name, text] of Object.entries(files ?? {})) writeFileSync(join(folder, name), text as string);
    const error = await run(testTerminal(), {}, files ? folder : join(folder, 'none')).catch(
      (thrown: unknown) => thrown,
    );
    rmSync(folder, { recursive: true });
    expect(failureOf(error)).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
  });
});
