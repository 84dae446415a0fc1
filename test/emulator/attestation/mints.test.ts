import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { AttestationHost, BASE, ETHEREUM, RECIPIENT } from './support';

afterAll(closeOwnEmulator);

const ARC = 26;

async function attested(burn: object = {}) {
  const host = await AttestationHost.open();
  const made = await host.burn(burn);
  await host.advance(20);
  const [message] = await host.messages(made);
  return { host, made, message };
}

test('succeeds once', async () => {
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

// On ARC USDC is the native token.
test.each([
  [BASE, 'BASE-SEPOLIA'],
  [ARC, 'ARC-TESTNET'],
])("arrives in the recipient's wallet on %i, %s, and the ledger adds up", async (destinationDomain, blockchain) => {
  const chain = await Chain.open();
  const wallet = await chain.wallet(blockchain);
  const { control } = chain.world;
  const { txHash } = await control.call<{ txHash: string }>('POST', '/burns', {
    sourceDomain: ETHEREUM,
    destinationDomain,
    amount: '100000000',
    mintRecipient: wallet.address,
    minFinalityThreshold: 1000,
    maxFee: '50000',
  });
  await control.advance(20_000);
  const response = await fetch(`${chain.world.url}/v2/messages/${ETHEREUM}?transactionHash=${txHash}`);
  const { messages } = (await response.json()) as { messages: { message: string; attestation: string }[] };
  const { message, attestation } = messages[0]!;
  await control.call('POST', '/mints', { destinationDomain, message, attestation });
  await chain.settle();
  expect((await chain.balances(wallet)).USDC).toBe('99.99');
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('reverts on the wrong destination, or with anything that was not attested so', async () => {
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

test('only the destination caller may mint, where the burn named one', async () => {
  const { host, message } = await attested({ destinationCaller: RECIPIENT });
  expect((await host.mint(message)).reason).toBe('Invalid caller for message');
  expect((await host.mint(message, { caller: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' })).reason).toBe(
    'Invalid caller for message',
  );
  expect((await host.mint(message, { caller: RECIPIENT })).state).toBe('minted');
});

test('a fast message expires after a day of destination blocks; attested anew, it mints', async () => {
  const { host, made, message } = await attested();
  const { expirationBlock } = message.decodedMessage.decodedMessageBody;
  expect(Number(expirationBlock)).toBeGreaterThan(0);
  await host.advance(24 * 3600 + 2);
  expect((await host.mint(message)).reason).toBe('Message expired and must be re-signed');
  expect((await host.post(`/v2/reattest/${made.nonce}`)).status).toBe(200);
  await host.advance(8);
  const [final] = await host.messages(made);
  expect(final.decodedMessage.decodedMessageBody.expirationBlock).toBe('0');
  expect((await host.mint(final)).state).toBe('minted');
});

test('a control lets it expire at once', async () => {
  const { host, made, message } = await attested();
  const path = `/burns/${made.id}/expire`;
  await host.world.control.call('POST', path);
  const [expired] = await host.messages(made);
  expect(Number(expired.decodedMessage.decodedMessageBody.expirationBlock)).toBeLessThan(
    Number(message.decodedMessage.decodedMessageBody.expirationBlock),
  );
  for (const copy of [message, expired]) {
    expect((await host.mint(copy)).reason).toBe('Message expired and must be re-signed');
  }
  const standard = await host.burn({ minFinalityThreshold: 2000 });
  await expect(host.world.control.call('POST', `/burns/${standard.id}/expire`)).rejects.toThrow(/409/);
});
