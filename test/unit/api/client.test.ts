import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { type Api, ApiError, type ApiOptions, type CallReport, createApi, InvalidRequestError } from '../../../src/api';
import { createCaller } from '../../../src/api/caller';
import { endpoint, type Endpoint } from '../../../src/api/contract/endpoint';
import type { Entity } from '../../../src/api/entity';
import { decryptEntitySecret } from '../../../src/crypto/entitySecret';
import { json, type SeenRequest, startServer, type TestServer } from './server';

const API_KEY = 'TEST_API_KEY:canary-id:canary-secret';
const SECRET = 'c0ffee'.padEnd(64, '0');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ID = '7f2d3c60-4d1e-4f53-9d6e-3f6f5d0f7a11';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = publicKey.export({ type: 'spki', format: 'pem' }) as string;

type Responder = (response: ServerResponse, seen: SeenRequest, socket: Socket) => void | Promise<void>;
let server: TestServer;
let responders: Responder[];
let keyResponders: Responder[];

beforeAll(async () => {
  server = await startServer((response, seen, socket) => {
    const isKey = seen.url === '/v1/w3s/config/entity/publicKey';
    const responder = (isKey ? keyResponders : responders).shift();
    if (responder) return responder(response, seen, socket);
    return isKey ? json(response, { data: { publicKey: PEM } }) : json(response, { message: 'unexpected' }, 500);
  });
});
beforeEach(() => {
  server.seen.length = 0;
  responders = [];
  keyResponders = [];
});
afterAll(() => server.close());

function open(
  options: ApiOptions = {},
  change: Partial<Entity> = {},
): { api: Api; events: CallReport[]; logged: string[] } {
  const events: CallReport[] = [];
  const logged: string[] = [];
  const entity: Entity = {
    name: 'acme',
    kind: 'test',
    apiKey: API_KEY,
    entitySecret: SECRET,
    hosts: { api: server.origin },
    ...change,
  };
  const logger = {
    warn: (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  };
  const api = createApi(entity, { onResponse: (event) => events.push(event), logger, ...options });
  return { api, events, logged };
}

const failure = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

const transfer = {
  body: {
    idempotencyKey: ID,
    walletId: ID,
    tokenId: ID,
    destinationAddress: '0xcanary-destination',
    amounts: ['10.50'],
    feeLevel: 'MEDIUM' as const,
  },
};
const TRANSFERRED = { data: { id: ID, state: 'INITIATED' } };

/** All requests except the fetch of the public key. */
const sent = () => server.seen.filter(({ url }) => !url.endsWith('/publicKey'));
const bodyOf = ({ text }: SeenRequest) => JSON.parse(text) as Record<string, unknown>;
const raw =
  (text: string, status = 200, headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end(text);
const rejecting =
  (code: number, status = 400, headers: Record<string, string> = {}): Responder =>
  (response) =>
    json(response, { code, message: 'canary-message' }, status, headers);
const TRANSACTION = {
  id: ID,
  blockchain: 'ETH-SEPOLIA',
  state: 'SENT',
  transactionType: 'OUTBOUND',
  createDate: '2026-10-21T07:28:00Z',
  updateDate: '2026-10-21T07:28:00Z',
};

describe('a sent request', () => {
  test('with GET has an encoded path and query, the API key and a new request id in its headers, and no body', async () => {
    responders = [1, 2].map(() => (response) => json(response, { data: { transactions: [] } }));
    const { api } = open();
    const query = { txHash: 'a b&c', includeAll: true, pageSize: 50, userId: undefined, walletIds: 'x,y' };
    await api.listTransactions({ query });
    await api.listTransactions();
    const [first, second] = server.seen;
    const url = new URL(first?.url ?? '', server.origin);
    expect(url.pathname).toBe('/v1/w3s/transactions');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      txHash: 'a b&c',
      includeAll: 'true',
      pageSize: '50',
      walletIds: 'x,y',
    });
    expect(first).toMatchObject({ method: 'GET', text: '', headers: { authorization: `Bearer ${API_KEY}` } });
    expect(first?.headers['content-type']).toBeUndefined();
    expect(first?.headers['x-request-id']).toMatch(UUID);
    expect(second?.headers['x-request-id']).not.toBe(first?.headers['x-request-id']);
    expect(second?.url).toBe('/v1/w3s/transactions');
  });

  test('joins a list in the query with commas', async () => {
    responders = [raw('{}')];
    const call = createCaller({ name: 'acme', kind: 'test', apiKey: API_KEY, hosts: { api: server.origin } });
    const anything = {
      method: 'GET',
      path: '/x',
      auth: 'apiKey',
      limit: 'get',
      idempotency: 'repeatable',
      summary: '',
    };
    await call('anything', anything as Endpoint, { query: { ids: ['a', 'b'] } });
    expect(server.seen[0]?.url).toBe('/v1/w3s/x?ids=a%2Cb');
  });

  test.each([
    ['a/b?c', '/v1/w3s/tokens/a%2Fb%3Fc'],
    ['ü', '/v1/w3s/tokens/%C3%BC'],
  ])('keeps path parameter %j in one segment', async (id, url) => {
    responders = [rejecting(156009, 404)];
    await failure(open().api.getToken({ params: { id } }));
    expect(server.seen[0]?.url).toBe(url);
  });

  test.each(['', '.', '..'])('is rejected if path parameter %j would change the path', async (id) => {
    await expect(open().api.getToken({ params: { id } })).rejects.toThrow(InvalidRequestError);
    expect(server.seen).toHaveLength(0);
  });

  test('has the request id that the caller gives', async () => {
    responders = [raw('{"message":"pong"}')];
    await open().api.ping({}, { requestId: ID });
    expect(server.seen[0]?.headers).toMatchObject({ 'x-request-id': ID });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('with the entity secret has a new ciphertext and unchanged amounts, and the public key is fetched once', async () => {
    responders = [1, 2, 3].map(() => (response) => json(response, TRANSFERRED, 201));
    const { api, events } = open();
    await Promise.all([1, 2, 3].map(() => api.createTransfer(transfer)));
    expect(server.seen.filter(({ url }) => url.endsWith('/publicKey'))).toHaveLength(1);
    const bodies = sent().map(bodyOf);
    const ciphertexts = bodies.map(({ entitySecretCiphertext }) => entitySecretCiphertext as string);
    expect(new Set(ciphertexts).size).toBe(3);
    for (const ciphertext of ciphertexts) expect(decryptEntitySecret(ciphertext, privateKey)).toBe(SECRET);
    expect(bodies[0]).toEqual({ ...transfer.body, entitySecretCiphertext: ciphertexts[0] });
    expect(events.map(({ endpoint: id }) => id)).toEqual(['getEntityPublicKey', ...Array(3).fill('createTransfer')]);
  });

  test('to an endpoint without the entity secret has no ciphertext', async () => {
    responders = [(response) => json(response, { data: { isValid: true } })];
    await open().api.validateAddress({ body: { address: 'a', blockchain: 'SOL-DEVNET' } });
    expect(sent().map(bodyOf)).toEqual([{ address: 'a', blockchain: 'SOL-DEVNET' }]);
  });
});

describe('a user token', () => {
  const userToken = 'canary-user.token.text';

  test('is sent only in its header, and only to endpoints that take one', async () => {
    responders = [1, 2, 3].map(() => (response) => json(response, { data: { id: 'user-1', wallets: [], users: [] } }));
    const { api, events, logged } = open();
    await api.getCurrentUser({}, { userToken });
    await api.listWallets.response({}, { userToken });
    await api.listWallets();
    expect(sent().map(({ headers }) => headers['x-user-token'])).toEqual([userToken, userToken, undefined]);
    expect(sent().map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${API_KEY}`));
    expect(JSON.stringify([events, logged, sent().map(({ url }) => url)])).not.toContain('canary-user');
  });

  test('is required by endpoints that need one, and must be a valid header value', async () => {
    const { api } = open();
    const error = /^getCurrentUser: options\.userToken is missing: /;
    await expect(api.getCurrentUser(undefined, {} as { userToken: string })).rejects.toThrow(error);
    const broken = api.getCurrentUser(undefined, { userToken: 'canary\r\nx-other: 1' });
    await expect(broken).rejects.toThrow(InvalidRequestError);
    await expect(broken).rejects.not.toThrow('canary');
    expect(server.seen).toEqual([]);
  });

  test('is never sent to an endpoint that takes no user token', async () => {
    responders = [(response) => json(response, { data: { users: [] } })];
    await open().api.listUsers({}, { userToken } as object);
    expect(sent()[0]!.headers['x-user-token']).toBeUndefined();
  });
});

describe('the attestation host', () => {
  const publicKeys = endpoint({
    method: 'GET',
    path: '/v2/publicKeys',
    auth: 'none',
    limit: 'unlimited',
    idempotency: 'repeatable',
    summary: '',
  });

  test('gets requests to /v2 but never the API key', async () => {
    const attestation = await startServer(raw('{}'));
    try {
      responders = [(response) => json(response, { data: [] })];
      const hosts = { api: server.origin, attestation: attestation.origin };
      const entity: Entity = { name: 'acme', kind: 'test', apiKey: API_KEY, entitySecret: SECRET, hosts };
      const call = createCaller(entity);
      await call('publicKeys', publicKeys as Endpoint);
      for (const auth of ['apiKey', 'entitySecret'] as const) {
        await expect(call('publicKeys', { ...publicKeys, auth } as Endpoint)).rejects.toThrow('never sent');
      }
      await createApi(entity).listSubscriptions();
      expect(attestation.seen).toHaveLength(1);
      expect(JSON.stringify(attestation.seen)).not.toContain('canary');
      expect(sent().map(({ url }) => url)).toEqual(['/v2/notifications/subscriptions']);
    } finally {
      await attestation.close();
    }
  });

  test('must be configured', async () => {
    const call = createCaller({ name: 'acme', kind: 'test', apiKey: API_KEY, hosts: { api: server.origin } });
    await expect(call('publicKeys', publicKeys as Endpoint)).rejects.toThrow('entity acme has no hosts.attestation');
  });
});

describe('a call that fails before it is sent', () => {
  test('names endpoint, invalid fields and what they need, but no values', async () => {
    const body = { ...transfer.body, walletId: 'canary', idempotencyKey: undefined, amounts: [true], feeLevel: 'FAST' };
    const error = await open()
      .api.createTransfer({ body } as unknown as typeof transfer)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidRequestError);
    const { message, problems } = error as InvalidRequestError;
    expect(problems).toEqual([
      { field: 'body.idempotencyKey', problem: 'is missing: must be of type string' },
      {
        field: 'body.amounts[0]',
        problem: 'has the wrong type: must be of type string, or must be of type number',
      },
      { field: 'body.walletId', problem: 'must be a valid uuid' },
      { field: 'body.feeLevel', problem: 'must be one of LOW, MEDIUM, HIGH' },
    ]);
    expect(message).toMatch(/^createTransfer: body.idempotencyKey is missing/);
    expect(message).not.toContain('canary');
    expect(server.seen).toHaveLength(0);
  });

  test('names a missing body', async () => {
    const call = open().api.createTransfer({} as typeof transfer);
    await expect(call).rejects.toThrow('createTransfer: body is missing: must be of type object');
  });

  test("has the API's own error code if it breaks a rule of the contract", async () => {
    const { api, events } = open();
    const error = await failure(api.createTransfer({ body: { ...transfer.body, amounts: ['canary'] } }));
    expect(error).toMatchObject({ code: 155224, status: 0, kind: 'refused', outcome: 'none', local: true });
    expect(error.message).toMatch(/^createTransfer: 155224 /);
    expect([server.seen.length, events.length]).toEqual([0, 0]);
  });

  test('says that the entity has no secret', async () => {
    const error = await failure(open({}, { entitySecret: undefined }).api.createTransfer(transfer));
    expect(error).toMatchObject({ name: 'EntitySecretMissing', kind: 'attention', outcome: 'none', local: true });
    expect(server.seen).toHaveLength(0);
  });

  test('says that a remote host is blocked offline', async () => {
    const { api } = open({}, { apiKey: 'LIVE_API_KEY:emulator:x', hosts: { api: 'https://api.circle.com' } });
    expect(await failure(api.listTransactions())).toMatchObject({
      name: 'RequestBlocked',
      kind: 'halt',
      outcome: 'none',
    });
  });

  test('says that an aborted call was not sent', async () => {
    const error = await failure(open().api.listTransactions({}, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ name: 'NotSent', code: 0, outcome: 'none' });
    expect(server.seen).toHaveLength(0);
  });
});

describe('a successful response', () => {
  test('is returned unchanged, with unknown fields and unknown enum values', async () => {
    const body = { data: { transaction: { ...TRANSACTION, state: 'SOMETHING_NEW', novelty: [1] } }, more: null };
    responders = [(response) => json(response, body)];
    const { api, events } = open();
    expect(await api.getTransaction({ params: { id: ID } })).toEqual(body);
    expect(events).toEqual([
      { endpoint: 'getTransaction', status: 200, outcome: 'done', durationMs: expect.any(Number) as number },
    ]);
  });

  test('has no null where the contract allows a field to be missing', async () => {
    const nulls = {
      nfts: null,
      abiParameters: null,
      amounts: null,
      errorReason: null,
      estimatedFee: { gasLimit: null },
    };
    const unknown = { novelty: null, novelties: [null] };
    responders = [
      (response) => json(response, { data: { transaction: { ...TRANSACTION, ...nulls, ...unknown } } }),
      (response) => json(response, { data: { transactions: [{ ...TRANSACTION, ...nulls, ...unknown }] } }),
      (response) => json(response, { data: { transactions: null } }),
    ];
    const { api } = open();
    const read = { ...TRANSACTION, estimatedFee: {}, ...unknown };
    expect(await api.getTransaction({ params: { id: ID } })).toEqual({ data: { transaction: read } });
    expect(await api.listTransactions()).toEqual({ data: { transactions: [read] } });
    expect(await api.listTransactions()).toEqual({ data: {} });
  });

  test('of a list has the rows that can be read, and says how many cannot', async () => {
    const strange = [{ ...TRANSACTION, state: 7 }, { ...TRANSACTION, id: undefined }, null, 'canary', { canary: 1 }];
    const body = { data: { transactions: [TRANSACTION, ...strange, { ...TRANSACTION, amounts: [null] }] } };
    responders = [1, 2].map(() => (response) => json(response, body));
    const { api, logged } = open();
    const read = { data: { transactions: [TRANSACTION] } };
    expect(await api.listTransactions.response()).toMatchObject({ body: read, skippedRows: 6 });
    expect(await api.listTransactions()).toEqual(read);
    const fields = ['state: invalid_type', 'id: invalid_type', 'amounts[]: invalid_type'];
    expect(logged).toHaveLength(1);
    for (const field of fields) expect(logged[0]).toContain(`"body.data.transactions[].${field}"`);
    expect(logged[0]).not.toContain('canary');
  });

  test.each([raw('', 204), raw('', 200), raw('{"data":{}}')])(
    'is undefined if its optional body is missing (%#)',
    async (responder) => {
      responders = [responder];
      const drip = { body: { address: '0x1', blockchain: 'ARB-SEPOLIA' as const, native: true } };
      expect(await open().api.requestDrip(drip)).toBeUndefined();
    },
  );

  test('is returned even if the hook fails', async () => {
    responders = [raw('{"message":"pong"}')];
    const onResponse = () => {
      throw new Error('canary');
    };
    const { api, logged } = open({ onResponse });
    expect(await api.ping()).toEqual({ message: 'pong' });
    expect(logged).toEqual(['onResponse failed {"endpoint":"ping","error":"Error"}']);
  });
});

describe('a response that leaves the outcome unknown', () => {
  const truncated: Responder = (response, _, socket) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"data":{"id":"', () => socket.destroy());
  };
  const huge: Responder = (response) => {
    response.writeHead(200).write(`{"data":{"id":"${ID}","state":"`);
    const chunk = 'x'.repeat(1024 * 1024);
    const more = () => {
      for (;;) {
        if (response.destroyed) return;
        if (!response.write(chunk)) break;
      }
      response.once('drain', more);
    };
    more();
  };

  test.each<[string, Responder, Partial<ApiError>]>([
    ['HTML with 200', raw('<html>canary</html>'), { name: 'UnreadableResponse', status: 200, code: 200 }],
    ['nothing with 200', raw(''), { name: 'UnreadableResponse', status: 200 }],
    ['half a response', truncated, { name: 'UnreadableResponse', status: 200 }],
    ['an endless response', huge, { name: 'UnreadableResponse', status: 200 }],
    ['a missing field', raw(`{"data":{"id":"${ID}"}}`, 201), { name: 'UnreadableResponse', status: 201, code: 201 }],
    ['null for a string', raw('{"data":{"id":null,"state":"SENT"}}'), { name: 'UnreadableResponse' }],
    ['a number for a string', raw('{"data":{"id":7,"state":"SENT"}}'), { name: 'UnreadableResponse' }],
    [
      'a redirect',
      raw('', 307, { location: '/v1/w3s/elsewhere' }),
      { name: 'RedirectNotFollowed', status: 307, code: 307 },
    ],
    ['a reset', (_response, _, socket) => void socket.resetAndDestroy(), { name: 'NoResponse', status: 0, code: 0 }],
    ['a closed socket', (_response, _, socket) => void socket.destroy(), { name: 'NoResponse', status: 0, code: 0 }],
    ['no response in time', () => {}, { name: 'NoResponse', status: 0, code: 0 }],
    ['500', rejecting(500, 500), { name: 'InternalServerError', status: 500, code: 500 }],
    ['502 in HTML', raw('<html>', 502), { name: 'BadGateway', status: 502, code: 502 }],
    ['503', rejecting(-1, 503), { status: 503, code: -1 }],
    ['something went wrong', rejecting(-1), { name: 'SomethingWentWrong', status: 400, code: -1 }],
    ['403 in HTML', raw('<html>', 403), { name: 'UnrecognizedResponse', status: 403, code: 403 }],
    ['404 with a string', raw('"no"', 404), { name: 'UnrecognizedResponse', status: 404, code: 404 }],
    ['JSON without a code', raw('{"message":"no"}', 404), { name: 'UnrecognizedResponse', status: 404, code: 404 }],
  ])('%s: the error is transient, and the request is sent once', async (_, responder, expected) => {
    responders = [responder];
    const { api, events } = open({ timeoutMs: 2_000 });
    const error = await failure(api.createTransfer(transfer));
    expect(error).toMatchObject({
      endpoint: 'createTransfer',
      kind: 'transient',
      outcome: 'unknown',
      local: false,
      ...expected,
    });
    expect(error.requestId).toMatch(UUID);
    expect(sent()).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ status: error.status, code: error.code, outcome: 'unknown' });
  });

  test('may be missing after an abort', async () => {
    const controller = new AbortController();
    responders = [() => controller.abort()];
    const error = await failure(open().api.createTransfer(transfer, { signal: controller.signal }));
    expect(error).toMatchObject({ name: 'NoResponse', outcome: 'unknown' });
  });

  test('may have code 156004 for a new ciphertext, which means that the request was delivered twice', async () => {
    responders = [rejecting(156004)];
    expect(await failure(open().api.createTransfer(transfer))).toMatchObject({ kind: 'renew', outcome: 'unknown' });
  });

  test('may be missing after a broken keep-alive connection, which is not retried automatically', async () => {
    responders = [(response) => json(response, TRANSFERRED), (_response, _, socket) => void socket.resetAndDestroy()];
    const { api } = open();
    await api.createTransfer(transfer);
    expect(await failure(api.createTransfer(transfer))).toMatchObject({ code: 0, outcome: 'unknown' });
    // Public key, first transfer, broken transfer. The last one used an existing connection and was sent once.
    const connections = server.seen.map(({ connection }) => connection);
    expect(connections).toHaveLength(3);
    expect(connections.slice(0, 2)).toContain(connections[2]);
  });

  test('leads to a log line with the invalid fields but no values', async () => {
    responders = [raw('{"data":{"id":7,"canary":"canary"}}')];
    const { api, logged } = open();
    await failure(api.createTransfer(transfer));
    expect(logged).toEqual([expect.stringContaining('["body.data.id: invalid_type","body.data.state: invalid_type"]')]);
    expect(logged.join()).not.toContain('canary');
  });
});

describe('a rejection', () => {
  test.each<[string, Responder, Partial<ApiError>]>([
    ['with a known code', rejecting(155201), { code: 155201, status: 400, kind: 'attention' }],
    ['with an unknown code', rejecting(155999), { code: 155999, status: 400, kind: 'refused', name: 'UnknownCode' }],
    ['with a status as code', rejecting(404, 404), { code: 404, status: 404, kind: 'refused', name: 'NotFound' }],
    ['of the key', rejecting(401, 401), { code: 401, kind: 'halt' }],
    ['of the key in HTML', raw('<html>', 401), { code: 401, status: 401, kind: 'halt', name: 'Unauthorized' }],
    ['by the limit', rejecting(429, 429, { 'retry-after': '1.5' }), { kind: 'throttled', retryAfterMs: 1500 }],
    [
      'by the limit in HTML',
      raw('<html>', 429, { 'retry-after': 'soon' }),
      { kind: 'throttled', retryAfterMs: undefined },
    ],
  ])('%s is definite: the API did nothing', async (_, responder, expected) => {
    responders = [responder];
    const error = await failure(open().api.createTransfer(transfer));
    expect(error).toMatchObject({ endpoint: 'createTransfer', outcome: 'none', local: false, ...expected });
    expect(sent()).toHaveLength(1);
  });

  test.each<[string, 400 | 404, string, Partial<ApiError>]>([
    ['unknown message', 404, '{"error":"Message not found"}', { kind: 'wait' }],
    ['unknown message with nulls', 404, '{"code":null,"message":null,"error":"Not found"}', { kind: 'wait' }],
    ['invalid request', 400, '{"error":"Invalid nonce"}', { kind: 'refused' }],
  ])(
    'by the attestation host has no code, but a status that the contract lists: %s',
    async (_, status, text, expected) => {
      responders = [raw(text, status)];
      const { api } = open({}, { hosts: { api: server.origin, attestation: server.origin } });
      const request = { params: { sourceDomainId: '0' }, query: { transactionHash: '0x1' } };
      const error = await failure(api.getAttestationMessages(request));
      expect(error).toMatchObject({ code: status, status, outcome: 'none', ...expected });
    },
  );

  test('of a new attestation has no code and says that the message is final already', async () => {
    responders = [raw('{"message":"canary","error":"Message is not eligible"}', 400)];
    const { api } = open({}, { hosts: { api: server.origin, attestation: server.origin } });
    const error = await failure(api.requestReattestation({ params: { nonce: '0x1' } }));
    expect(error).toMatchObject({ code: 400, status: 400, kind: 'resolve', outcome: 'none' });
  });

  test("with a date in Retry-After counts from the response's own date", async () => {
    const headers = { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:03 GMT' };
    responders = [rejecting(429, 429, headers)];
    expect(await failure(open().api.listTransactions())).toMatchObject({ retryAfterMs: 3000 });
  });

  test("has the endpoint's error kind, if it defines one, instead of the catalogue's", async () => {
    responders = [rejecting(155201)];
    const call = createCaller({ name: 'acme', kind: 'test', apiKey: API_KEY, hosts: { api: server.origin } });
    const entry = { method: 'GET', path: '/x', auth: 'apiKey', kinds: { 155201: 'wait' } } as unknown as Endpoint;
    expect(await failure(call('x', entry))).toMatchObject({ code: 155201, kind: 'wait' });
  });

  test('has the request id of the response if that is valid', async () => {
    responders = [rejecting(155201, 400, { 'x-request-id': ID }), rejecting(155201, 400, { 'x-request-id': 'canary' })];
    const { api } = open();
    expect((await failure(api.listTransactions())).requestId).toBe(ID);
    const other = await failure(api.listTransactions());
    expect(other.requestId).toBe(server.seen[1]?.headers['x-request-id']);
  });

  test('by a closed port means that nothing was sent', async () => {
    const closed = await startServer(() => {});
    await closed.close();
    const error = await failure(open({}, { hosts: { api: closed.origin } }).api.listTransactions());
    expect(error).toMatchObject({
      name: 'NotSent',
      code: 0,
      status: 0,
      kind: 'transient',
      outcome: 'none',
      local: false,
    });
  });
});

describe('the entity public key', () => {
  const keyFetches = () => server.seen.length - sent().length;

  test('is fetched again after 156013, a second 156013 in a row halts, and a success resets the count', async () => {
    const ok: Responder = (response) => json(response, TRANSFERRED);
    responders = [rejecting(156013), rejecting(156013), ok, rejecting(156013)];
    const { api } = open();
    const kinds = [];
    for (let call = 1; call <= 4; call += 1) {
      kinds.push(
        await api.createTransfer(transfer).then(
          () => 'done',
          (error: unknown) => (error as ApiError).kind,
        ),
      );
    }
    expect(kinds).toEqual(['renew', 'halt', 'done', 'renew']);
    expect(keyFetches()).toBe(3);
  });

  test.each<[string, Responder, Partial<ApiError>]>([
    ['rejected', rejecting(429, 429, { 'retry-after': '1' }), { code: 429, kind: 'throttled', retryAfterMs: 1000 }],
    ['lost', (_response, _, socket) => void socket.destroy(), { code: 0, kind: 'transient' }],
    ['unreadable', raw('<html>'), { name: 'UnreadableResponse' }],
  ])('whose fetch is %s fails every call before it is sent', async (_, responder, expected) => {
    keyResponders = [responder];
    const { api } = open();
    const errors = await Promise.all([1, 2].map(() => failure(api.createTransfer(transfer))));
    for (const error of errors) {
      expect(error).toMatchObject({ endpoint: 'getEntityPublicKey', outcome: 'none', ...expected });
    }
    expect([keyFetches(), sent().length]).toEqual([1, 0]);
  });

  test('is fetched again by the next call if it is invalid', async () => {
    keyResponders = [(response) => json(response, { data: { publicKey: 'canary' } })];
    responders = [(response) => json(response, TRANSFERRED)];
    const { api } = open();
    const error = await failure(api.createTransfer(transfer));
    expect(error).toMatchObject({ name: 'PublicKeyUnusable', outcome: 'none' });
    expect(inspect(error)).not.toContain('canary');
    expect(await api.createTransfer(transfer)).toEqual(TRANSFERRED);
  });

  test('is fetched with a permit from the bucket of its endpoint', async () => {
    responders = [(response) => json(response, TRANSFERRED)];
    const steps: string[] = [];
    const permit = async (id: string) => {
      steps.push(`take ${id}`);
      return () => void steps.push(`return after ${server.seen.length} request`);
    };
    await open({ permit }).api.createTransfer(transfer);
    expect(steps).toEqual(['take getEntityPublicKey', 'return after 1 request']);
  });

  test('is fetched to the end although a waiting call is aborted', async () => {
    const controller = new AbortController();
    responders = [(response) => json(response, TRANSFERRED)];
    keyResponders = [
      (response) => {
        controller.abort();
        json(response, { data: { publicKey: PEM } });
      },
    ];
    const { api } = open();
    const [aborted, other] = await Promise.all([
      failure(api.createTransfer(transfer, { signal: controller.signal })),
      api.createTransfer(transfer),
    ]);
    expect(aborted).toMatchObject({ endpoint: 'createTransfer', outcome: 'none' });
    expect(other).toEqual(TRANSFERRED);
    expect(keyFetches()).toBe(1);
  });
});

/** Errors get into logs and histories, so they must not quote secrets or personal data. */
test.each<[string, Responder]>([
  ['400', rejecting(2, 400, { 'x-canary': 'canary' })],
  ['401', rejecting(401, 401)],
  ['403', rejecting(3, 403)],
  ['429', rejecting(429, 429, { 'retry-after': 'canary' })],
  ['500', rejecting(500, 500)],
  ['a redirect', raw('canary', 302, { location: 'http://canary' })],
  ['HTML', raw('<html>canary</html>')],
  ['a wrong type', raw('{"data":{"id":{"canary":"canary"}}}')],
  ['a timeout', () => {}],
  ['a reset', (_response, _, socket) => void socket.resetAndDestroy()],
])('the error after %s contains nothing of the request, the headers or the body', async (_, responder) => {
  responders = [responder];
  const error = await failure(open({ timeoutMs: 2_000 }).api.createTransfer(transfer));
  const { entitySecretCiphertext } = bodyOf(sent()[0] as SeenRequest);
  const texts = [
    inspect(error, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(error),
    String(error),
    error.stack ?? '',
  ].join('\n');
  for (const canary of ['canary', SECRET, String(entitySecretCiphertext), transfer.body.destinationAddress, '10.50']) {
    expect(texts).not.toContain(canary);
  }
  expect(error.cause).toBeUndefined();
  expect(error.message).toMatch(/^createTransfer: -?\d+ \w+( \(HTTP \d{3}\))?: .+; .+ \[request [0-9a-f-]{36}\]$/);
});

test('the types check required parts, lists, enums and fields', () => {
  const typeChecks = async (api: Api): Promise<string> => {
    // @ts-expect-error the body is missing
    await api.createTransfer({});
    // @ts-expect-error the user token is missing
    await api.getCurrentUser();
    // @ts-expect-error an endpoint without a user
    await api.listUsers({}, { userToken: 'x' });
    // @ts-expect-error a misspelt enum value
    await api.listTransactions({ query: { state: 'SENDT' } });
    // @ts-expect-error an unknown field
    await api.listTransactions({ query: { wallet: 'x' } });
    const { body } = await api.listTransactions.response({ query: { state: 'SENT' } });
    return body.data.transactions?.[0]?.id ?? (await api.createTransfer(transfer)).data.id;
  };
  // The function is only compiled: the marked lines are type errors.
  expect(typeChecks).toBeInstanceOf(Function);
});

describe('a value of a wrong type is rejected by name before anything is sent', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
  test.each([
    ['a big integer', 5n, 'body.amounts[0]'],
    ['an infinite number', Infinity, 'body.amounts[0]'],
    ['a circular object', circular, 'body.amounts '],
    ['a list that is nested too deeply', deep, 'body.amounts '],
  ])('%s in a body is reported by field', async (_case, part, field) => {
    const request = { body: { ...transfer.body, amounts: [part] } } as unknown as typeof transfer;
    const error: unknown = await open()
      .api.createTransfer(request)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as Error).message).toContain(field);
    expect(server.seen).toEqual([]);
  });

  test.each([
    [{ userToken: null }, 'options.userToken'],
    [{ userToken: 5 }, 'options.userToken'],
    [{ requestId: 'a\r\nb' }, 'options.requestId'],
    [{ signal: 'soon' }, 'options.signal'],
    [null, 'options'],
  ])('options %j are reported by field', async (options, field) => {
    const call = open().api.listWallets({}, options as unknown as object);
    await expect(call).rejects.toThrow(InvalidRequestError);
    await expect(call).rejects.toThrow(field);
    expect(server.seen).toEqual([]);
  });
});
