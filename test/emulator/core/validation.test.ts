import { closeOwnEmulator, openWorld } from '../../support/emulator';
import { send } from './support';

afterAll(closeOwnEmulator);

test('each invalid field of a body is named with its problem', async () => {
  const world = await openWorld();
  const { status, body } = await send(world, 'POST', '/v1/w3s/developer/wallets', {
    idempotencyKey: 'k',
    blockchains: [],
    accountType: 'XYZ',
    count: 500,
    metadata: [{ name: 5 }],
  });
  expect(status).toBe(400);
  expect(body.code).toBe(2);
  const found = Object.fromEntries(body.errors.map(({ location, error }: any) => [location, error])); // oxlint-disable-line typescript/no-explicit-any
  expect(found).toEqual({
    idempotencyKey: 'pattern_mismatch',
    walletSetId: 'required',
    blockchains: 'length_outside_bounds',
    accountType: 'invalid_value',
    count: 'max_value',
    'metadata[0].name': 'invalid_value',
  });
  expect(body.errors).toContainEqual({
    error: 'max_value',
    message: expect.any(String),
    location: 'count',
    invalidValue: 500,
    constraints: { max: 200, inclusive: true },
  });
});

test('numbers and booleans of a query are parsed', async () => {
  const world = await openWorld();
  const list = (query: string) => send(world, 'GET', `/v1/w3s/transactions?${query}`);
  expect(await list('pageSize=2&includeAll=true')).toMatchObject({ status: 200 });
  expect(await list('pageSize=two')).toMatchObject({ body: { code: 2, errors: [{ error: 'number_format' }] } });
  expect(await list('pageSize=0')).toMatchObject({ body: { code: 2, errors: [{ error: 'min_value' }] } });
  expect(await list('includeAll=1')).toMatchObject({ body: { code: 2, errors: [{ location: 'includeAll' }] } });
  expect(await list('order=UP')).toMatchObject({ body: { code: 2, errors: [{ error: 'invalid_value' }] } });
});

test('ids in paths and cursors must be UUIDs, and only one cursor is allowed', async () => {
  const world = await openWorld();
  const uuid = '7b0e7f0e-3d43-4f6b-8f0c-0f6f6f1f2d11';
  expect(await send(world, 'GET', '/v1/w3s/transactions/42')).toMatchObject({ status: 400, body: { code: 156009 } });
  const list = (query: string) => send(world, 'GET', `/v1/w3s/transactions?${query}`);
  expect(await list('pageAfter=x')).toMatchObject({ status: 400, body: { code: 156014 } });
  expect(await list(`pageBefore=${uuid}&pageAfter=${uuid}`)).toMatchObject({ status: 400, body: { code: 2 } });
});

test('contract rules are checked after the schema and before the handler', async () => {
  const world = await openWorld();
  const { body } = await send(world, 'POST', '/v1/w3s/faucet/drips', { address: 'a', blockchain: 'ETH-SEPOLIA' });
  expect(body.code).toBe(2);
});

test('a body may nest at most 64 levels, and errors do not repeat an invalid list or object', async () => {
  const world = await openWorld();
  const nested = (depth: number) =>
    send(world, 'POST', '/v1/w3s/users', `{"userId":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  const { status, body } = await nested(63);
  expect([status, body.code]).toEqual([400, 2]);
  expect(body.errors).toContainEqual({
    error: 'invalid_value',
    message: expect.any(String),
    location: 'userId',
    constraints: { type: 'string' },
  });
  for (const depth of [64, 5_000, 100_000]) {
    const message = expect.stringContaining('nested at most 64 deep');
    expect(await nested(depth)).toMatchObject({ status: 400, body: { code: 2, message } });
  }
  const control = `{"appId":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
  expect(await send(world, 'PATCH', '/emulator/settings', control)).toMatchObject({ status: 400, body: { code: 2 } });
});
