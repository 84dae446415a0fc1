import { createApi } from '../../../src/api/client';
import { startEmulator } from '../../../src/emulator';
import { AttestationRateLimit } from '../../../src/emulator/requests/attestationRateLimit';
import { closeOwnEmulator } from '../../support/emulator';
import { AttestationHost, BASE, ETHEREUM, request } from './support';

afterAll(closeOwnEmulator);

const FEES = `/v2/burn/USDC/fees/${ETHEREUM}/${BASE}`;
const setFee = (host: AttestationHost, fast: string) =>
  host.world.control.call('PUT', '/burnFees', { sourceDomain: ETHEREUM, destinationDomain: BASE, fast });

test('each world has its own attestation host, which does not change', async () => {
  const [a, b] = [await AttestationHost.open(), await AttestationHost.open()];
  await setFee(a, '7');
  await setFee(b, '9');
  expect((await a.get(FEES)).body[0].minimumFee).toBe(7);
  expect((await b.get(FEES)).body[0].minimumFee).toBe(9);
  const { txHash } = await a.burn({ observeAfterMs: 0 });
  await a.advance(1);
  const path = `/v2/messages/${ETHEREUM}?transactionHash=${txHash}`;
  expect((await a.get(path)).status).toBe(200);
  expect((await b.get(path)).status).toBe(404);
  await a.world.control.reset();
  expect(await a.world.control.attestationHost()).toBe(a.url);
  expect((await a.get(path)).status).toBe(404);
});

test('on the common host, the burn or a key selects the world, and unknown burns return 404', async () => {
  const [a, b] = [await AttestationHost.open(), await AttestationHost.open()];
  const common = a.world.url;
  await setFee(a, '7');
  const [burnA, burnB] = [await a.burn({ maxFee: '70000' }), await b.burn()];
  await a.advance(20);
  await b.advance(20);
  for (const { txHash, nonce } of [burnA, burnB]) {
    for (const query of [`transactionHash=${txHash}`, `nonce=${nonce}`]) {
      const { body } = await request(common, 'GET', `/v2/messages/${ETHEREUM}?${query}`);
      expect(body.messages[0].eventNonce).toBe(nonce);
    }
    expect((await request(common, 'POST', `/v2/reattest/${nonce}`)).status).toBe(200);
  }
  expect((await request(common, 'GET', FEES)).body[0].minimumFee).toBe(1);
  const keyed = await fetch(`${common}${FEES}`, { headers: { authorization: `Bearer ${a.world.apiKey}` } });
  expect(((await keyed.json()) as { minimumFee: number }[])[0]!.minimumFee).toBe(7);
  await expect(b.burn({ txHash: burnA.txHash })).rejects.toThrow(/409/);
});

test('an emulator with a single world uses it for requests without a key', async () => {
  const apiKey = 'TEST_API_KEY:single:1';
  const emulator = await startEmulator({ worlds: [{ apiKey }] });
  try {
    await fetch(`${emulator.url}/emulator/fastPool`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ allowance: '42' }),
    });
    expect((await request(emulator.url, 'GET', '/v2/fastBurn/USDC/allowance')).body.allowance).toBe(42);
  } finally {
    await emulator.close();
  }
});

test('the API client reads it without credentials and treats a burn that is not observed yet as a wait', async () => {
  const host = await AttestationHost.open();
  const { apiKey, url } = host.world;
  const api = createApi({ name: 'acme', kind: 'test', apiKey, hosts: { api: url, attestation: host.url } });
  const params = { token: 'USDC', sourceDomainId: String(ETHEREUM), destDomainId: String(BASE) };
  expect(await api.getBurnFees({ params, query: { forward: true } })).toHaveLength(2);
  expect(await api.getFastBurnFees({ params })).toEqual({ minimumFee: 1 });
  expect((await api.getFastBurnAllowance({ params: { token: 'USDC' } })).allowance).toBeGreaterThan(0);
  const { txHash, nonce } = await host.burn();
  const read = () =>
    api.getAttestationMessages({ params: { sourceDomainId: '0' }, query: { transactionHash: txHash } });
  await expect(read()).rejects.toMatchObject({ status: 404, kind: 'wait' });
  await host.advance(20);
  expect((await read()).messages).toMatchObject([{ status: 'complete', eventNonce: nonce }]);
  expect(await api.requestReattestation({ params: { nonce } })).toMatchObject({ nonce });
  await host.advance(16 * 60);
  await expect(api.requestReattestation({ params: { nonce } })).rejects.toMatchObject({ status: 400, kind: 'resolve' });
  await expect(api.getAttestationMessages({ params: { sourceDomainId: '0' } })).rejects.toThrow(/transactionHash/);
});

test("faults apply to the world's own host, and the journal lists its requests", async () => {
  const host = await AttestationHost.open();
  const { control } = host.world;
  const pending = { messages: [{ status: 'pending_confirmations', attestation: 'PENDING', message: null }] };
  await control.addFault({ operation: 'getAttestationMessages', count: 1, action: { status: 200, body: pending } });
  const { txHash } = await host.burn();
  expect(await host.messages({ txHash })).toEqual(pending.messages);
  await control.addFault({ operation: 'getAttestationMessages', count: 1, action: { status: 503 } });
  expect((await host.get(`/v2/messages/${ETHEREUM}?transactionHash=${txHash}`)).status).toBe(503);
  expect((await control.counts()).getAttestationMessages).toMatchObject({ requests: 2, answers: { 200: 1, 503: 1 } });
});

test('36 requests in a second block all endpoints of the host for five minutes', async () => {
  const host = await AttestationHost.open({ limits: true });
  const responses: number[] = [];
  // A slow machine may need more than a second for the first 36 requests.
  while (!responses.includes(429)) {
    const some = await Promise.all(Array.from({ length: 72 }, () => host.get('/v2/publicKeys')));
    responses.push(...some.map(({ status }) => status));
  }
  expect(responses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(35);
  const blocked = await host.get(FEES);
  expect(blocked).toMatchObject({ status: 429, body: { error: expect.any(String) } });
  expect(Number(blocked.headers.get('retry-after'))).toBe(300);
  await host.advance(299);
  expect((await host.get(FEES)).status).toBe(429);
  await host.advance(1);
  expect((await host.get(FEES)).status).toBe(200);
});

test('the window slides, and only a request above the limit blocks the host', () => {
  const limit = new AttestationRateLimit();
  const start = new Date(0);
  for (let n = 0; n < 35; n++) expect(limit.take(start, n)).toBe(0);
  expect(limit.take(start, 1000)).toBe(0);
  expect(limit.take(start, 1000.5)).toBe(300_000);
  expect(limit.take(new Date(1000), 5000)).toBe(299_000);
  expect(limit.take(new Date(300_000), 5001)).toBe(0);
});
