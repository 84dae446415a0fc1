import { closeOwnEmulator } from '../../support/emulator';
import { AttestationHost, AVALANCHE, BASE, ETHEREUM, RECIPIENT, SOLANA } from './support';

afterAll(closeOwnEmulator);

test('a fast burn returns 404 until it is observed, then pending, then complete', async () => {
  const host = await AttestationHost.open();
  const { txHash, nonce } = await host.burn();
  const path = `/v2/messages/${ETHEREUM}?transactionHash=${txHash}`;
  expect(await host.get(path)).toMatchObject({ status: 404, body: { error: expect.any(String) } });
  await host.advance(2);
  expect((await host.get(path)).body).toEqual({
    messages: [
      {
        message: '0x',
        eventNonce: '0x',
        attestation: 'PENDING',
        decodedMessage: null,
        cctpVersion: 2,
        status: 'pending_confirmations',
        delayReason: null,
      },
    ],
  });
  await host.advance(17);
  expect((await host.messages({ txHash }))[0].status).toBe('pending_confirmations');
  await host.advance(1);
  const [message] = await host.messages({ txHash });
  expect(message).toMatchObject({
    status: 'complete',
    eventNonce: nonce,
    delayReason: null,
    decodedMessage: {
      sourceDomain: '0',
      destinationDomain: '6',
      nonce,
      minFinalityThreshold: '1000',
      finalityThresholdExecuted: '1000',
      decodedMessageBody: {
        amount: '100000000',
        mintRecipient: RECIPIENT,
        maxFee: '50000',
        // 1 basis point
        feeExecuted: '10000',
        hookData: '0x',
      },
    },
  });
  for (const hex of [message.message, message.attestation]) expect(hex).toMatch(/^0x[0-9a-f]+$/);

  const byNonce = await host.get(`/v2/messages/${ETHEREUM}?nonce=${BigInt(nonce)}`);
  expect(byNonce.body.messages).toEqual([message]);
  expect((await host.get(`/v2/messages/${BASE}?nonce=${nonce}`)).status).toBe(404);
  expect((await host.get(`/v2/messages/${BASE}?transactionHash=${txHash}`)).status).toBe(404);
});

test.each([
  ['Ethereum, after 16 minutes', { sourceDomain: ETHEREUM }, 16 * 60],
  ['Avalanche, after 8 seconds', { sourceDomain: AVALANCHE, destinationDomain: BASE }, 8],
  ['Solana, after 25 seconds', { sourceDomain: SOLANA }, 25],
  ['Linea, after 12 hours', { sourceDomain: 11 }, 12 * 3600],
])('a standard message is complete from %s and never expires', async (_name, route, seconds) => {
  const host = await AttestationHost.open();
  const { txHash } = await host.burn({ ...route, minFinalityThreshold: 2000, maxFee: '0' });
  await host.advance(seconds - 1);
  expect((await host.messages({ txHash, ...route }))[0].status).toBe('pending_confirmations');
  await host.advance(1);
  const [{ status, decodedMessage }] = await host.messages({ txHash, ...route });
  expect(status).toBe('complete');
  expect(decodedMessage).toMatchObject({
    finalityThresholdExecuted: '2000',
    decodedMessageBody: { expirationBlock: '0', feeExecuted: '0' },
  });
});

test('a fast burn on a source with fast finality becomes a standard one without a delay reason', async () => {
  const host = await AttestationHost.open();
  const { txHash } = await host.burn({ sourceDomain: AVALANCHE });
  await host.advance(8);
  const [message] = await host.messages({ txHash, sourceDomain: AVALANCHE });
  expect(message).toMatchObject({
    status: 'complete',
    delayReason: null,
    decodedMessage: { minFinalityThreshold: '1000', finalityThresholdExecuted: '2000' },
  });
});

test('the burns of one transaction are listed by log index and completed independently', async () => {
  const host = await AttestationHost.open();
  const first = await host.burn({ logIndex: 7 });
  const { txHash } = first;
  await host.burn({ txHash, logIndex: 3, amount: '3000000' });
  const slow = await host.burn({ txHash, logIndex: 5, amount: '5000000', minFinalityThreshold: 2000 });
  await expect(host.burn({ txHash, logIndex: 5 })).rejects.toThrow(/409/);
  await host.advance(20);
  const messages = await host.messages({ txHash });
  expect(messages.map(({ status }: { status: string }) => status)).toEqual([
    'complete',
    'pending_confirmations',
    'complete',
  ]);
  await host.world.control.call('POST', `/burns/${slow.id}/delay`, { attestAfterMs: 0 });
  await host.advance(1);
  const amounts = (await host.messages({ txHash })).map(
    ({ decodedMessage }: any) => decodedMessage.decodedMessageBody.amount, // oxlint-disable-line typescript/no-explicit-any -- by path
  );
  expect(amounts).toEqual(['3000000', '5000000', '100000000']);
});

test('a burn can be observed after fifteen hours', async () => {
  const host = await AttestationHost.open();
  const { txHash } = await host.burn({ observeAfterMs: 15 * 3_600_000 });
  await host.advance(15 * 3600 - 1);
  expect((await host.get(`/v2/messages/${ETHEREUM}?transactionHash=${txHash}`)).status).toBe(404);
  await host.advance(1);
  expect((await host.messages({ txHash }))[0].status).toBe('complete');
});

test('addresses have the format of their blockchain in a message from Solana to Ethereum with a hook', async () => {
  const host = await AttestationHost.open();
  const messageSender = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
  const route = { sourceDomain: SOLANA, destinationDomain: ETHEREUM };
  const { txHash } = await host.burn({ ...route, messageSender, destinationCaller: RECIPIENT, hookData: '0xc0ffee' });
  await host.advance(8);
  const [{ decodedMessage }] = await host.messages({ txHash, ...route });
  expect(decodedMessage).toMatchObject({
    destinationCaller: RECIPIENT,
    decodedMessageBody: { messageSender, mintRecipient: RECIPIENT, hookData: '0xc0ffee' },
  });
});

test.each([
  ['neither hash nor nonce', '/v2/messages/0', 400],
  ['an invalid nonce', '/v2/messages/0?nonce=abc', 400],
  ['a nonce that is too long', `/v2/messages/0?nonce=0x1${'0'.repeat(64)}`, 400],
  ['an invalid domain', '/v2/messages/eth?nonce=1', 400],
  ['an unknown hash', `/v2/messages/0?transactionHash=0x${'1'.repeat(64)}`, 404],
  ['an unknown nonce', '/v2/messages/0?nonce=1', 404],
  ['an unknown domain', '/v2/messages/99?nonce=1', 404],
])('a request with %s is rejected', async (_name, path, status) => {
  const host = await AttestationHost.open();
  const response = await host.get(path);
  expect(response.status).toBe(status);
  expect(response.body).toEqual({ error: expect.any(String) });
});

describe('a burn that its contract would revert is refused by the control', () => {
  let host: AttestationHost;
  beforeAll(async () => {
    host = await AttestationHost.open();
    const route = { sourceDomain: ETHEREUM, destinationDomain: BASE };
    await host.world.control.call('PUT', '/burnFees', { ...route, standard: '10' });
  });

  test.each<[string, object, RegExp]>([
    ['a malformed recipient', { mintRecipient: 'invalid' }, /mintRecipient/],
    ['an unknown domain', { sourceDomain: 99 }, /sourceDomain/],
    ['a threshold beyond uint32', { minFinalityThreshold: 2 ** 32 }, /minFinalityThreshold/],
    ['no amount', { amount: '0', maxFee: '0' }, /reverts: Amount must be nonzero/],
    ['no recipient', { mintRecipient: `0x${'0'.repeat(40)}` }, /reverts: Mint recipient must be nonzero/],
    ['no recipient on Solana', { destinationDomain: SOLANA, mintRecipient: '1'.repeat(32) }, /Mint recipient must be/],
    ['a fee of the whole amount', { amount: '50000' }, /reverts: Max fee must be less than amount/],
    ['its own domain', { destinationDomain: ETHEREUM }, /reverts: No TokenMessenger for domain/],
    ['another token', { burnToken: RECIPIENT }, /reverts: Burn token not supported/],
    ['a fee below the minimum', { minFinalityThreshold: 2000, maxFee: '99999' }, /reverts: Insufficient max fee/],
    ['hook data that are too large', { maxFee: '100000', hookData: `0x${'00'.repeat(7_965)}` }, /exceeds max size/],
  ])('%s', async (_problem, body, message) => {
    await expect(host.burn(body)).rejects.toThrow(message);
    expect(await host.world.control.call('GET', '/burns')).toEqual({ burns: [] });
  });
});

test('with the setting lowBurnFee, a fast burn below the fast fee reverts instead of becoming a standard one', async () => {
  const host = await AttestationHost.open();
  const low = { minFinalityThreshold: 1000, maxFee: '9999' };
  await host.burn(low);
  await host.world.control.changeSettings({ lowBurnFee: 'reverts' });
  await expect(host.burn(low)).rejects.toThrow(/reverts: Insufficient max fee/);
  await host.burn({ ...low, maxFee: '10000' });
  await host.burn({ minFinalityThreshold: 2000, maxFee: '0' });
  // No fast transfers are offered from a source that is final within seconds.
  await host.burn({ ...low, sourceDomain: AVALANCHE, maxFee: '0' });
});
