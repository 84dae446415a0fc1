import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { AttestationHost, BASE, ETHEREUM, RECIPIENT } from './support';

afterAll(closeOwnEmulator);

const ARC = 26;

async function attested(burn: object = {}) {
  const host = await AttestationHost.open();
  const created = await host.burn(burn);
  await host.advance(20);
  const [message] = await host.messages(created);
  return { host, made: created, message };
}

test('a mint succeeds once', async () => {
  const { host, message } = await attested();
  expect(await host.mint(message)).toEqual({
    state: 'minted',
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    amount: '99990000',
    feeExecuted: '10000',
    mintRecipient: RECIPIENT,
  });
  expect(await host.mint(message)).toEqual({ state: 'reverted', reason: 'Nonce already used' });
});

// On ARC, USDC is the native token.
test.each([
  [BASE, 'BASE-SEPOLIA'],
  [ARC, 'ARC-TESTNET'],
])(
  "a mint on domain %i, %s, arrives in the recipient's wallet, and the ledger stays balanced",
  async (destinationDomain, blockchain) => {
    const client = await TestClient.open();
    const wallet = await client.wallet(blockchain);
    const { control } = client.world;
    const { txHash } = await control.call<{ txHash: string }>('POST', '/burns', {
      sourceDomain: ETHEREUM,
      destinationDomain,
      amount: '100000000',
      mintRecipient: wallet.address,
      minFinalityThreshold: 1000,
      maxFee: '50000',
    });
    await control.advance(20_000);
    const response = await fetch(`${client.world.url}/v2/messages/${ETHEREUM}?transactionHash=${txHash}`);
    const { messages } = (await response.json()) as { messages: { message: string; attestation: string }[] };
    const { message, attestation } = messages[0]!;
    await control.call('POST', '/mints', { destinationDomain, message, attestation });
    await client.settle();
    expect((await client.balances(wallet)).USDC).toBe('99.99');
    expect(await client.audit()).toMatchObject({ ok: true });
  },
);

test('a mint reverts on the wrong destination or with a changed message or attestation', async () => {
  const { host, message } = await attested();
  const other = await attested();
  const changed = (hex: string, at: number) => hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);
  const [first, second] = [message.attestation.slice(2, 132), message.attestation.slice(132)];
  const mint = async (more: object) => (await host.mint(message, more)).reason as string;

  expect(await mint({ destinationDomain: ETHEREUM })).toBe('Invalid destination domain');
  expect(await mint({ message: changed(message.message, 440) })).toMatch(/invalid signature|not attester|order/i);
  expect(await mint({ attestation: other.message.attestation })).toMatch(/invalid signature|not attester|order/i);
  expect(await mint({ attestation: `0x${first}` })).toBe('Invalid attestation length');
  expect(await mint({ attestation: '0x' })).toBe('Invalid attestation length');
  expect(await mint({ attestation: `0x${second}${first}` })).toBe('Invalid signature order or dupe');
  expect(await mint({ attestation: `0x${first}${first}` })).toBe('Invalid signature order or dupe');
  expect(await mint({ attestation: `0x${'0'.repeat(260)}` })).toBe('ECDSA: invalid signature');
  expect((await host.mint(message)).state).toBe('minted');
});

test('only the destination caller may mint if the burn names one', async () => {
  const { host, message } = await attested({ destinationCaller: RECIPIENT });
  expect((await host.mint(message)).reason).toBe('Invalid caller for message');
  expect((await host.mint(message, { caller: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' })).reason).toBe(
    'Invalid caller for message',
  );
  expect((await host.mint(message, { caller: RECIPIENT })).state).toBe('minted');
});

test('a fast message expires after a day of destination blocks and can be minted after re-attestation', async () => {
  const { host, made: created, message } = await attested();
  const { expirationBlock } = message.decodedMessage.decodedMessageBody;
  expect(Number(expirationBlock)).toBeGreaterThan(0);
  await host.advance(24 * 3600 + 2);
  expect((await host.mint(message)).reason).toBe('Message expired and must be re-signed');
  expect((await host.post(`/v2/reattest/${created.nonce}`)).status).toBe(200);
  await host.advance(8);
  const [final] = await host.messages(created);
  expect(final.decodedMessage.decodedMessageBody.expirationBlock).toBe('0');
  expect((await host.mint(final)).state).toBe('minted');
});

test('a control expires a fast message at once', async () => {
  const { host, made: created, message } = await attested();
  const path = `/burns/${created.id}/expire`;
  await host.world.control.call('POST', path);
  const [expired] = await host.messages(created);
  expect(Number(expired.decodedMessage.decodedMessageBody.expirationBlock)).toBeLessThan(
    Number(message.decodedMessage.decodedMessageBody.expirationBlock),
  );
  for (const copy of [message, expired]) {
    expect((await host.mint(copy)).reason).toBe('Message expired and must be re-signed');
  }
  const standard = await host.burn({ minFinalityThreshold: 2000 });
  await expect(host.world.control.call('POST', `/burns/${standard.id}/expire`)).rejects.toThrow(/409/);
});

describe('forwarding', () => {
  /** `cctp-forward` in 24 bytes, version 0, without further data. */
  const hookData = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`;
  const shown = async (host: AttestationHost, created: { txHash: string }) => {
    const [{ forwardState, forwardTxHash, decodedMessage }] = await host.messages(created);
    return { forwardState, forwardTxHash, feeExecuted: decodedMessage?.decodedMessageBody.feeExecuted };
  };

  test('mints once for its price', async () => {
    const host = await AttestationHost.open();
    const created = await host.burn({ maxFee: '260000', hookData });
    await host.advance(2);
    expect(await shown(host, created)).toMatchObject({ forwardState: 'PENDING', forwardTxHash: undefined });
    await host.advance(18);
    expect(await shown(host, created)).toMatchObject({ forwardState: 'PENDING', feeExecuted: '210000' });
    await host.advance(5);
    const { forwardTxHash } = await shown(host, created);
    expect(await shown(host, created)).toMatchObject({ forwardState: 'CONFIRMED' });
    expect(forwardTxHash).toMatch(/^0x[0-9a-f]{64}$/);
    await host.advance(15);
    expect(await shown(host, created)).toMatchObject({ forwardState: 'COMPLETE', forwardTxHash });
    const [message] = await host.messages(created);
    expect(await host.mint(message)).toEqual({ state: 'reverted', reason: 'Nonce already used' });
  });

  test('fails on request, and if another caller has minted', async () => {
    const host = await AttestationHost.open();
    const burn = () => host.burn({ maxFee: '260000', hookData });
    const [failing, minted] = [await burn(), await burn()];
    await host.advance(20);
    await host.world.control.call('POST', `/burns/${failing.id}/forward`, { fail: true });
    const [message] = await host.messages(minted);
    expect(await host.mint(message)).toMatchObject({ state: 'minted', amount: '99790000' });
    await host.advance(5);
    expect(await shown(host, failing)).toMatchObject({ forwardState: 'FAILED', forwardTxHash: undefined });
    expect(await shown(host, minted)).toMatchObject({ forwardState: 'FAILED', forwardTxHash: undefined });
    const again = host.world.control.call('POST', `/burns/${failing.id}/forward`, { afterMs: 0 });
    await expect(again).rejects.toThrow(/not waiting/);
  });

  test('can be delayed by a control and does not happen if the fee is too low', async () => {
    const host = await AttestationHost.open();
    const [late, cheap] = [
      await host.burn({ maxFee: '210000', hookData }),
      await host.burn({ maxFee: '209999', hookData }),
    ];
    await host.advance(20);
    await host.world.control.call('POST', `/burns/${late.id}/forward`, { afterMs: 60_000 });
    await host.advance(59);
    expect(await shown(host, late)).toMatchObject({ forwardState: 'PENDING' });
    await host.advance(1);
    expect(await shown(host, late)).toMatchObject({ forwardState: 'CONFIRMED' });
    expect(await shown(host, cheap)).toEqual({ feeExecuted: '10000' });
  });
});
