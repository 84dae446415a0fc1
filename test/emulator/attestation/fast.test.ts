import { closeOwnEmulator } from '../../support/emulator';
import { AttestationHost, AVALANCHE, BASE, ETHEREUM } from './support';

afterAll(closeOwnEmulator);

const ROUTE = { sourceDomain: ETHEREUM, destinationDomain: BASE };

test('a route has fees, also in the deprecated endpoint, and a price for forwarding', async () => {
  const host = await AttestationHost.open();
  const fees = `/v2/burn/USDC/fees/${ETHEREUM}/${BASE}`;
  await host.world.control.call('PUT', '/burnFees', { ...ROUTE, fast: '1.3', standard: '0.5' });
  expect((await host.get(fees)).body).toEqual([
    { finalityThreshold: 1000, minimumFee: 1.3 },
    { finalityThreshold: 2000, minimumFee: 0.5 },
  ]);
  expect((await host.get(`${fees}?forward=true`)).body[0].forwardFee).toEqual({
    low: expect.any(Number),
    med: expect.any(Number),
    high: expect.any(Number),
  });
  expect((await host.get(`/v2/fastBurn/USDC/fees/${ETHEREUM}/${BASE}`)).body).toEqual({ minimumFee: 1.3 });
  await host.world.control.call('PUT', '/burnFees', { ...ROUTE, fast: null });
  expect((await host.get(fees)).body).toEqual([
    { finalityThreshold: 1000, minimumFee: 1 },
    { finalityThreshold: 2000, minimumFee: 0.5 },
  ]);
});

test('a source with fast finality has only a standard fee', async () => {
  const host = await AttestationHost.open();
  const { body } = await host.get(`/v2/burn/USDC/fees/${AVALANCHE}/${BASE}`);
  expect(body).toEqual([{ finalityThreshold: 2000, minimumFee: 0 }]);
  expect((await host.get(`/v2/fastBurn/USDC/fees/${AVALANCHE}/${BASE}`)).status).toBe(404);
});

test.each([
  ['/v2/burn/EURC/fees/0/6', 404],
  ['/v2/burn/USDC/fees/0/99', 404],
  ['/v2/burn/USDC/fees/zero/6', 400],
  ['/v2/fastBurn/EURC/allowance', 404],
  ['/v2/fastBurn/USDC/fees/99/0', 404],
])('%s returns %i', async (path, status) => {
  const host = await AttestationHost.open();
  const response = await host.get(path);
  expect(response).toMatchObject({ status, body: { error: expect.any(String) } });
});

test('a fast burn uses the allowance until it is final', async () => {
  const host = await AttestationHost.open();
  const allowance = async () => (await host.get('/v2/fastBurn/USDC/allowance')).body;
  await host.world.control.call('PUT', '/fastPool', { allowance: '150.000001' });
  const before = await allowance();
  expect(before).toEqual({ allowance: 150.000001, lastUpdated: expect.any(String) });
  await host.burn();
  await host.advance(2);
  expect((await allowance()).allowance).toBe(50.000001);

  const late = await host.burn();
  await host.advance(20);
  expect((await host.messages(late))[0]).toMatchObject({
    status: 'pending_confirmations',
    delayReason: 'insufficient_allowance_available',
  });
  await host.advance(16 * 60 - 22);
  const after = await allowance();
  expect(after.allowance).toBe(150.000001);
  expect(Date.parse(after.lastUpdated)).toBe(Date.parse(before.lastUpdated) + 16 * 60_000);
});

test.each([
  ['insufficient_fee', { maxFee: '9999' }, {}],
  ['amount_above_max', {}, { most: '99.999999' }],
  ['insufficient_allowance_available', {}, { allowance: '99.999999' }],
])('a fast burn waits for finality because of %s', async (delayReason, burn, pool) => {
  const host = await AttestationHost.open();
  await host.world.control.call('PUT', '/fastPool', pool);
  const { txHash } = await host.burn(burn);
  await host.advance(15 * 60);
  expect((await host.messages({ txHash }))[0]).toMatchObject({ status: 'pending_confirmations', delayReason });
  await host.advance(60);
  expect((await host.messages({ txHash }))[0]).toMatchObject({
    status: 'complete',
    decodedMessage: {
      minFinalityThreshold: '1000',
      finalityThresholdExecuted: '2000',
      decodedMessageBody: { feeExecuted: '0', expirationBlock: '0' },
    },
  });
});

test('re-attestation leads to a message that never expires, at the original fee', async () => {
  const host = await AttestationHost.open();
  const { txHash, nonce } = await host.burn();
  expect((await host.post(`/v2/reattest/${nonce}`)).status).toBe(404);
  await host.advance(20);
  const [fast] = await host.messages({ txHash });
  const response = await host.post(`/v2/reattest/${nonce}`);
  expect(response).toMatchObject({ status: 200, body: { nonce, message: expect.any(String) } });
  expect((await host.post(`/v2/reattest/${nonce}`)).status).toBe(200);
  await host.advance(15 * 60);
  expect(await host.messages({ txHash })).toEqual([fast]);
  await host.advance(60);
  const [final] = await host.messages({ txHash });
  expect(final).toMatchObject({
    status: 'complete',
    eventNonce: nonce,
    decodedMessage: {
      finalityThresholdExecuted: '2000',
      decodedMessageBody: { expirationBlock: '0', feeExecuted: '10000' },
    },
  });
  expect(final.message).not.toBe(fast.message);
  expect(final.attestation).not.toBe(fast.attestation);

  const again = await host.post(`/v2/reattest/${nonce}`);
  expect(again).toMatchObject({ status: 400, body: { message: expect.any(String), error: 'Bad Request' } });
  expect((await host.post('/v2/reattest/abc')).status).toBe(400);
  expect((await host.post('/v2/reattest/1')).status).toBe(404);
});
