import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { ApiError, InvalidRequest, createApi, type Api, type ApiEvent, type ApiOptions } from '../../../src/api';
import { createCaller } from '../../../src/api/caller';
import { endpoint, type Endpoint } from '../../../src/api/contract/endpoint';
import type { Entity } from '../../../src/api/entity';
import { decryptEntitySecret } from '../../../src/crypto/entitySecret';
import { json, startServer, type Seen, type TestServer } from './server';

const API_KEY = 'TEST_API_KEY:canary-id:canary-secret';
const SECRET = 'c0ffee'.padEnd(64, '0');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ID = '7f2d3c60-4d1e-4f53-9d6e-3f6f5d0f7a11';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = publicKey.export({ type: 'spki', format: 'pem' }) as string;

type Answer = (response: ServerResponse, seen: Seen, socket: Socket) => void | Promise<void>;
let server: TestServer;
let answers: Answer[];
let keyAnswers: Answer[];

beforeAll(async () => {
  server = await startServer((response, seen, socket) => {
    const isKey = seen.url === '/v1/w3s/config/entity/publicKey';
    const answer = (isKey ? keyAnswers : answers).shift();
    if (answer) return answer(response, seen, socket);
    return isKey ? json(response, { data: { publicKey: PEM } }) : json(response, { message: 'unexpected' }, 500);
  });
});
beforeEach(() => {
  server.seen.length = 0;
  answers = [];
  keyAnswers = [];
});
afterAll(() => server.close());

function open(
  options: ApiOptions = {},
  change: Partial<Entity> = {},
): { api: Api; events: ApiEvent[]; logged: string[] } {
  const events: ApiEvent[] = [];
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

/** Requests that are not the fetch of the public key. */
const sent = () => server.seen.filter(({ url }) => !url.endsWith('/publicKey'));
const bodyOf = ({ text }: Seen) => JSON.parse(text) as Record<string, unknown>;
const raw =
  (text: string, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(text);
const refusing =
  (code: number, status = 400, headers: Record<string, string> = {}): Answer =>
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

describe('what is sent', () => {
  test('a GET: path and query encoded, lists joined, key and a new request id in the headers, no body', async () => {
    answers = [1, 2].map(() => (response) => json(response, { data: { transactions: [] } }));
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

  test('a list in a query is joined with commas', async () => {
    answers = [raw('{}')];
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
  ])('the path parameter %j stays one segment', async (id, url) => {
    answers = [refusing(156009, 404)];
    await failure(open().api.getToken({ params: { id } }));
    expect(server.seen[0]?.url).toBe(url);
  });

  test.each(['', '.', '..'])('the path parameter %j would lead elsewhere and is refused', async (id) => {
    await expect(open().api.getToken({ params: { id } })).rejects.toThrow(InvalidRequest);
    expect(server.seen).toHaveLength(0);
  });

  test('the request id that the caller gives', async () => {
    answers = [raw('{"message":"pong"}')];
    await open().api.ping({}, { requestId: ID });
    expect(server.seen[0]?.headers).toMatchObject({ 'x-request-id': ID });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('the entity secret: one fetch of the key, a fresh ciphertext in every request, amounts to the letter', async () => {
    answers = [1, 2, 3].map(() => (response) => json(response, TRANSFERRED, 201));
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

  test('endpoints of the other kinds hold no ciphertext', async () => {
    answers = [(response) => json(response, { data: { isValid: true } })];
    await open().api.validateAddress({ body: { address: 'a', blockchain: 'SOL-DEVNET' } });
    expect(sent().map(bodyOf)).toEqual([{ address: 'a', blockchain: 'SOL-DEVNET' }]);
  });
});

describe('a user token', () => {
  const userToken = 'canary-user.token.text';

  test('goes into its header where the endpoint takes one, and nowhere else', async () => {
    answers = [1, 2, 3].map(() => (response) => json(response, { data: { id: 'user-1', wallets: [], users: [] } }));
    const { api, events, logged } = open();
    await api.getCurrentUser({}, { userToken });
    await api.listWallets.page({}, { userToken });
    await api.listWallets();
    expect(sent().map(({ headers }) => headers['x-user-token'])).toEqual([userToken, userToken, undefined]);
    expect(sent().map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${API_KEY}`));
    expect(JSON.stringify([events, logged, sent().map(({ url }) => url)])).not.toContain('canary-user');
  });

  test('is asked for where nothing can be done without, and has to fit into a header', async () => {
    const { api } = open();
    const error = /^getCurrentUser: options\.userToken is missing: /;
    await expect(api.getCurrentUser(undefined, {} as { userToken: string })).rejects.toThrow(error);
    const broken = api.getCurrentUser(undefined, { userToken: 'canary\r\nx-other: 1' });
    await expect(broken).rejects.toThrow(InvalidRequest);
    await expect(broken).rejects.not.toThrow('canary');
    expect(server.seen).toEqual([]);
  });

  test('is never sent to an endpoint that takes none', async () => {
    answers = [(response) => json(response, { data: { users: [] } })];
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

  test('gets /v2 requests, and never the API key', async () => {
    const attestation = await startServer(raw('{}'));
    try {
      answers = [(response) => json(response, { data: [] })];
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

  test('has to be configured', async () => {
    const call = createCaller({ name: 'acme', kind: 'test', apiKey: API_KEY, hosts: { api: server.origin } });
    await expect(call('publicKeys', publicKeys as Endpoint)).rejects.toThrow('entity acme has no hosts.attestation');
  });
});

describe('what is refused before it is sent', () => {
  test('a request that does not fit names endpoint, every field and what is needed, and no value', async () => {
    const body = { ...transfer.body, walletId: 'canary', idempotencyKey: undefined, amounts: [true], feeLevel: 'FAST' };
    const error = await open()
      .api.createTransfer({ body } as unknown as typeof transfer)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidRequest);
    const { message, problems } = error as InvalidRequest;
    expect(problems).toEqual([
      { field: 'body.idempotencyKey', problem: 'is missing: needs to be of type string' },
      {
        field: 'body.amounts[0]',
        problem: 'needs another type: needs to be of type string, or needs to be of type number',
      },
      { field: 'body.walletId', problem: 'needs to be a valid uuid' },
      { field: 'body.feeLevel', problem: 'needs to be one of LOW, MEDIUM, HIGH' },
    ]);
    expect(message).toMatch(/^createTransfer: body.idempotencyKey is missing/);
    expect(message).not.toContain('canary');
    expect(server.seen).toHaveLength(0);
  });

  test('a request without its body', async () => {
    const call = open().api.createTransfer({} as typeof transfer);
    await expect(call).rejects.toThrow('createTransfer: body is missing: needs to be of type object');
  });

  test("a broken rule is the API's own error, and no request is spent", async () => {
    const { api, events } = open();
    const error = await failure(api.createTransfer({ body: { ...transfer.body, amounts: ['canary'] } }));
    expect(error).toMatchObject({ code: 155224, status: 0, kind: 'refused', outcome: 'none', local: true });
    expect(error.message).toMatch(/^createTransfer: 155224 /);
    expect([server.seen.length, events.length]).toEqual([0, 0]);
  });

  test('an entity without a secret', async () => {
    const error = await failure(open({}, { entitySecret: undefined }).api.createTransfer(transfer));
    expect(error).toMatchObject({ name: 'EntitySecretMissing', kind: 'attention', outcome: 'none', local: true });
    expect(server.seen).toHaveLength(0);
  });

  test('a host beyond this machine, offline', async () => {
    const { api } = open({}, { apiKey: 'LIVE_API_KEY:emulator:x', hosts: { api: 'https://api.circle.com' } });
    expect(await failure(api.listTransactions())).toMatchObject({
      name: 'GuardRefusal',
      kind: 'halt',
      outcome: 'none',
    });
  });

  test('an aborted call', async () => {
    const error = await failure(open().api.listTransactions({}, { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ name: 'NotSent', code: 0, outcome: 'none' });
    expect(server.seen).toHaveLength(0);
  });
});

describe('a success', () => {
  test('comes as it was sent: unknown fields and unknown enum values stay (CL-10)', async () => {
    const body = { data: { transaction: { ...TRANSACTION, state: 'SOMETHING_NEW', novelty: [1] } }, more: null };
    answers = [(response) => json(response, body)];
    const { api, events } = open();
    expect(await api.getTransaction({ params: { id: ID } })).toEqual(body);
    expect(events).toEqual([
      { endpoint: 'getTransaction', status: 200, outcome: 'done', durationMs: expect.any(Number) as number },
    ]);
  });

  test.each([raw('', 204), raw('', 200), raw('{"data":{}}')])(
    'without a promised body is undefined (%#)',
    async (answer) => {
      answers = [answer];
      const drip = { body: { address: '0x1', blockchain: 'ARB-SEPOLIA' as const, native: true } };
      expect(await open().api.requestDrip(drip)).toBeUndefined();
    },
  );

  test('stays one when the hook fails', async () => {
    answers = [raw('{"message":"pong"}')];
    const onResponse = () => {
      throw new Error('canary');
    };
    const { api, logged } = open({ onResponse });
    expect(await api.ping()).toEqual({ message: 'pong' });
    expect(logged).toEqual(['onResponse failed {"endpoint":"ping","error":"Error"}']);
  });
});

describe('an answer that leaves the outcome open', () => {
  const truncated: Answer = (response, _, socket) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"data":{"id":"', () => socket.destroy());
  };
  const huge: Answer = (response) => {
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

  test.each<[string, Answer, Partial<ApiError>]>([
    ['HTML with 200', raw('<html>canary</html>'), { name: 'AnswerUnreadable', status: 200, code: 200 }],
    ['nothing with 200', raw(''), { name: 'AnswerUnreadable', status: 200 }],
    ['half an answer', truncated, { name: 'AnswerUnreadable', status: 200 }],
    ['an answer without end', huge, { name: 'AnswerUnreadable', status: 200 }],
    ['a missing field', raw(`{"data":{"id":"${ID}"}}`, 201), { name: 'AnswerUnreadable', status: 201, code: 201 }],
    ['null for a text', raw('{"data":{"id":null,"state":"SENT"}}'), { name: 'AnswerUnreadable' }],
    ['a number for a text', raw('{"data":{"id":7,"state":"SENT"}}'), { name: 'AnswerUnreadable' }],
    [
      'a redirect',
      raw('', 307, { location: '/v1/w3s/elsewhere' }),
      { name: 'RedirectNotFollowed', status: 307, code: 307 },
    ],
    ['a reset', (_response, _, socket) => void socket.resetAndDestroy(), { name: 'NoAnswer', status: 0, code: 0 }],
    ['a closed socket', (_response, _, socket) => void socket.destroy(), { name: 'NoAnswer', status: 0, code: 0 }],
    ['no answer in time', () => {}, { name: 'NoAnswer', status: 0, code: 0 }],
    ['500', refusing(500, 500), { name: 'InternalServerError', status: 500, code: 500 }],
    ['502 in HTML', raw('<html>', 502), { name: 'BadGateway', status: 502, code: 502 }],
    ['503', refusing(-1, 503), { status: 503, code: -1 }],
    ['something went wrong', refusing(-1), { name: 'SomethingWentWrong', status: 400, code: -1 }],
    ['403 in HTML', raw('<html>', 403), { name: 'NotTheApi', status: 403, code: 403 }],
    ['404 as a text', raw('"no"', 404), { name: 'NotTheApi', status: 404, code: 404 }],
    ['JSON without a code', raw('{"message":"no"}', 404), { name: 'NotTheApi', status: 404, code: 404 }],
  ])('%s: transient, sent once', async (_, answer, expected) => {
    answers = [answer];
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

  test('an abort after sending', async () => {
    const controller = new AbortController();
    answers = [() => controller.abort()];
    const error = await failure(open().api.createTransfer(transfer, { signal: controller.signal }));
    expect(error).toMatchObject({ name: 'NoAnswer', outcome: 'unknown' });
  });

  test('156004 for a fresh ciphertext: it was delivered twice', async () => {
    answers = [refusing(156004)];
    expect(await failure(open().api.createTransfer(transfer))).toMatchObject({ kind: 'renew', outcome: 'unknown' });
  });

  test('a broken keep-alive connection is not tried again by itself (CL-01)', async () => {
    answers = [(response) => json(response, TRANSFERRED), (_response, _, socket) => void socket.resetAndDestroy()];
    const { api } = open();
    await api.createTransfer(transfer);
    expect(await failure(api.createTransfer(transfer))).toMatchObject({ code: 0, outcome: 'unknown' });
    // The key, the first transfer, and the one that broke: on a connection that had been used, and once.
    const connections = server.seen.map(({ connection }) => connection);
    expect(connections).toHaveLength(3);
    expect(connections.slice(0, 2)).toContain(connections[2]);
  });

  test('the log names the fields that do not fit, and no value', async () => {
    answers = [raw('{"data":{"id":7,"canary":"canary"}}')];
    const { api, logged } = open();
    await failure(api.createTransfer(transfer));
    expect(logged).toEqual([expect.stringContaining('["body.data.id: invalid_type","body.data.state: invalid_type"]')]);
    expect(logged.join()).not.toContain('canary');
  });
});

describe('a refusal', () => {
  test.each<[string, Answer, Partial<ApiError>]>([
    ['by a known code', refusing(155201), { code: 155201, status: 400, kind: 'attention' }],
    ['by an unknown code', refusing(155999), { code: 155999, status: 400, kind: 'refused', name: 'UnknownCode' }],
    ['by a status as code', refusing(404, 404), { code: 404, status: 404, kind: 'refused', name: 'NotFound' }],
    ['of the key', refusing(401, 401), { code: 401, kind: 'halt' }],
    ['of the key in HTML', raw('<html>', 401), { code: 401, status: 401, kind: 'halt', name: 'Unauthorized' }],
    ['by the limit', refusing(429, 429, { 'retry-after': '1.5' }), { kind: 'throttled', retryAfterMs: 1500 }],
    [
      'by the limit in HTML',
      raw('<html>', 429, { 'retry-after': 'soon' }),
      { kind: 'throttled', retryAfterMs: undefined },
    ],
  ])('%s is definite: nothing was done', async (_, answer, expected) => {
    answers = [answer];
    const error = await failure(open().api.createTransfer(transfer));
    expect(error).toMatchObject({ endpoint: 'createTransfer', outcome: 'none', local: false, ...expected });
    expect(sent()).toHaveLength(1);
  });

  test("a date in Retry-After counts from the answer's own date", async () => {
    const headers = { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:03 GMT' };
    answers = [refusing(429, 429, headers)];
    expect(await failure(open().api.listTransactions())).toMatchObject({ retryAfterMs: 3000 });
  });

  test("the endpoint's own kind outranks the catalogue's", async () => {
    answers = [refusing(155201)];
    const call = createCaller({ name: 'acme', kind: 'test', apiKey: API_KEY, hosts: { api: server.origin } });
    const entry = { method: 'GET', path: '/x', auth: 'apiKey', kinds: { 155201: 'wait' } } as unknown as Endpoint;
    expect(await failure(call('x', entry))).toMatchObject({ code: 155201, kind: 'wait' });
  });

  test('the request id is the one of the answer, where it is one', async () => {
    answers = [refusing(155201, 400, { 'x-request-id': ID }), refusing(155201, 400, { 'x-request-id': 'canary' })];
    const { api } = open();
    expect((await failure(api.listTransactions())).requestId).toBe(ID);
    const other = await failure(api.listTransactions());
    expect(other.requestId).toBe(server.seen[1]?.headers['x-request-id']);
  });

  test('nobody listens: nothing was sent', async () => {
    const gone = await startServer(() => {});
    await gone.close();
    const error = await failure(open({}, { hosts: { api: gone.origin } }).api.listTransactions());
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

  test('156013: fetched anew; a second one in a row halts; a success starts over', async () => {
    const ok: Answer = (response) => json(response, TRANSFERRED);
    answers = [refusing(156013), refusing(156013), ok, refusing(156013)];
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

  test.each<[string, Answer, Partial<ApiError>]>([
    ['refused', refusing(429, 429, { 'retry-after': '1' }), { code: 429, kind: 'throttled', retryAfterMs: 1000 }],
    ['lost', (_response, _, socket) => void socket.destroy(), { code: 0, kind: 'transient' }],
    ['unreadable', raw('<html>'), { name: 'AnswerUnreadable' }],
  ])('%s: of the call itself nothing was sent, whatever became of the fetch', async (_, answer, expected) => {
    keyAnswers = [answer];
    const { api } = open();
    const errors = await Promise.all([1, 2].map(() => failure(api.createTransfer(transfer))));
    for (const error of errors) {
      expect(error).toMatchObject({ endpoint: 'getEntityPublicKey', outcome: 'none', ...expected });
    }
    expect([keyFetches(), sent().length]).toEqual([1, 0]);
  });

  test('no key at all: fetched anew next time', async () => {
    keyAnswers = [(response) => json(response, { data: { publicKey: 'canary' } })];
    answers = [(response) => json(response, TRANSFERRED)];
    const { api } = open();
    const error = await failure(api.createTransfer(transfer));
    expect(error).toMatchObject({ name: 'PublicKeyUnusable', outcome: 'none' });
    expect(inspect(error)).not.toContain('canary');
    expect(await api.createTransfer(transfer)).toEqual(TRANSFERRED);
  });

  test('is fetched in its own bucket', async () => {
    answers = [(response) => json(response, TRANSFERRED)];
    const steps: string[] = [];
    const permit = async (id: string) => {
      steps.push(`take ${id}`);
      return () => void steps.push(`give back after ${server.seen.length} request`);
    };
    await open({ permit }).api.createTransfer(transfer);
    expect(steps).toEqual(['take getEntityPublicKey', 'give back after 1 request']);
  });

  test('an abort ends the waiting for it, not the fetch', async () => {
    const controller = new AbortController();
    answers = [(response) => json(response, TRANSFERRED)];
    keyAnswers = [
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

/** CL-07 */
test.each<[string, Answer]>([
  ['400', refusing(2, 400, { 'x-canary': 'canary' })],
  ['401', refusing(401, 401)],
  ['403', refusing(3, 403)],
  ['429', refusing(429, 429, { 'retry-after': 'canary' })],
  ['500', refusing(500, 500)],
  ['a redirect', raw('canary', 302, { location: 'http://canary' })],
  ['HTML', raw('<html>canary</html>')],
  ['a wrong type', raw('{"data":{"id":{"canary":"canary"}}}')],
  ['a timeout', () => {}],
  ['a reset', (_response, _, socket) => void socket.resetAndDestroy()],
])('%s: an error that holds nothing of request, headers or body', async (_, answer) => {
  answers = [answer];
  const error = await failure(open({ timeoutMs: 2_000 }).api.createTransfer(transfer));
  const { entitySecretCiphertext } = bodyOf(sent()[0] as Seen);
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

test('the types know required parts, lists, enums and fields', () => {
  const typed = async (api: Api): Promise<string> => {
    // @ts-expect-error a list of the contract that has no pages
    await api.listSubscriptions.page();
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
    const { body } = await api.listTransactions.page({ query: { state: 'SENT' } });
    return body.data.transactions?.[0]?.id ?? (await api.createTransfer(transfer)).data.id;
  };
  // Compiled, never called: the marked lines are mistakes.
  expect(typed).toBeInstanceOf(Function);
});

describe('what is none of its type is refused before anything is sent, with its name', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
  test.each([
    ['a big integer', 5n, 'body.amounts[0]'],
    ['an infinite number', Infinity, 'body.amounts[0]'],
    ['what contains itself', circular, 'body.amounts '],
    ['what nests without end', deep, 'body.amounts '],
  ])('%s in a body', async (_what, part, field) => {
    const request = { body: { ...transfer.body, amounts: [part] } } as unknown as typeof transfer;
    const error: unknown = await open()
      .api.createTransfer(request)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequest);
    expect((error as Error).message).toContain(field);
    expect(server.seen).toEqual([]);
  });

  test.each([
    [{ userToken: null }, 'options.userToken'],
    [{ userToken: 5 }, 'options.userToken'],
    [{ requestId: 'a\r\nb' }, 'options.requestId'],
    [{ signal: 'soon' }, 'options.signal'],
    [null, 'options'],
  ])('options %j', async (options, field) => {
    const call = open().api.listWallets({}, options as unknown as object);
    await expect(call).rejects.toThrow(InvalidRequest);
    await expect(call).rejects.toThrow(field);
    expect(server.seen).toEqual([]);
  });
});
