import { ed25519 } from '@noble/curves/ed25519';
import { base58 } from '@scure/base';
import { getBytes, hashMessage } from 'ethers';
import { randomUUID } from 'node:crypto';
import { deriveKey } from '../../../src/emulator/chains/keys';
import { RateLimits } from '../../../src/emulator/requests/rateLimits';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient } from '../chain/support';
import { ciphertext } from '../core/support';
import { signerOf } from './recovery';

afterAll(closeOwnEmulator);

let client: TestClient;
beforeAll(async () => {
  client = await TestClient.open();
});

const sign = (body: object) => client.postWithKey('/developer/sign/message', body);

test('an EVM message is signed according to EIP-191, by wallet id or by address', async () => {
  const { id, address, blockchain } = await client.wallet();
  const { status, data } = await sign({ walletId: id, message: 'I agree ✓', memo: 'terms' });
  expect(status).toBe(200);
  expect(data).toEqual({ signature: expect.any(String) });
  expect(signerOf(hashMessage('I agree ✓'), data.signature)).toBe(address);

  const byAddress = await sign({ walletAddress: address.toLowerCase(), blockchain, message: 'I agree ✓' });
  expect(byAddress.data.signature).toBe(data.signature);
});

test('a hex message is decoded before signing if encodedByHex is set', async () => {
  const { id, address } = await client.wallet('EVM-TESTNET');
  const bytes = await sign({ walletId: id, message: '0x00ff', encodedByHex: true });
  expect(signerOf(hashMessage(getBytes('0x00ff')), bytes.data.signature)).toBe(address);
  const text = await sign({ walletId: id, message: '0x00ff' });
  expect(signerOf(hashMessage('0x00ff'), text.data.signature)).toBe(address);
});

test('on Solana and Aptos the plain bytes of a message are signed', async () => {
  const [solana, aptos] = await client.wallets({ blockchains: ['SOL-DEVNET', 'APTOS-TESTNET'] });
  const message = Buffer.from('I agree');
  const { data } = await sign({ walletId: solana!.id, message: 'I agree' });
  expect(ed25519.verify(base58.decode(data.signature), message, base58.decode(solana!.address))).toBe(true);
  const other = await sign({ walletId: aptos!.id, message: 'I agree' });
  const { privateKey } = deriveKey(client.world.apiKey, aptos!.walletSetId, 'aptos', 0);
  const publicKey = ed25519.getPublicKey(privateKey);
  expect(ed25519.verify(getBytes(other.data.signature), message, publicKey)).toBe(true);
});

test('a smart-contract wallet signs with the key of its owner once it is deployed', async () => {
  const wallet = await client.wallet('ETH-SEPOLIA', 'SCA');
  expect(await sign({ walletId: wallet.id, message: 'a' })).toMatchObject({ status: 400, code: 155517 });
  await client.fund(wallet, { USDC: '5' });
  expect((await client.transfer(wallet)).status).toBe(201);
  await client.settle();
  const { status, data } = await sign({ walletId: wallet.id, message: 'a' });
  expect(status).toBe(200);
  expect(signerOf(hashMessage('a'), data.signature)).not.toBe(wallet.address);
});

test('each invalid request is rejected with its code', async () => {
  const { id: walletId, address, blockchain } = await client.wallet();
  const near = await client.wallet('NEAR-TESTNET');
  const rejected: [body: object, code: number, status: number][] = [
    [{ message: 'a' }, 2, 400],
    [{ walletAddress: address, message: 'a' }, 2, 400],
    [{ walletId }, 2, 400],
    [{ walletId, walletAddress: address, blockchain, message: 'a' }, 155244, 400],
    [{ walletId, blockchain: 'BASE-SEPOLIA', message: 'a' }, 155225, 400],
    [{ walletAddress: 'nowhere', blockchain, message: 'a' }, 155226, 400],
    [{ walletAddress: address, blockchain: 'ETH', message: 'a' }, 156006, 400],
    [{ walletId: randomUUID(), message: 'a' }, 156001, 404],
    [{ walletAddress: STRANGER, blockchain, message: 'a' }, 156001, 404],
    [{ walletId, message: 'a', encodedByHex: true }, 156023, 409],
    [{ walletId, message: '0xabc', encodedByHex: true }, 156023, 409],
    [{ walletId, message: '0x', encodedByHex: true }, 156025, 400],
    [{ walletId, message: '' }, 156025, 400],
    [{ walletId, message: 'half \ud83d' }, 156025, 400],
    [{ walletId: near.id, message: 'a' }, 155510, 400],
  ];
  for (const [body, code, status] of rejected) {
    expect({ body, response: await sign(body) }).toMatchObject({ body, response: { code, status } });
  }
});

test('a frozen wallet cannot sign', async () => {
  const { id: walletId } = await client.wallet();
  await client.world.control.call('POST', `/wallets/${walletId}/freeze`);
  for (const [kind, body] of Object.entries({
    message: { message: 'a' },
    typedData: { data: '{}' },
    transaction: { rawTransaction: '0x00' },
    delegateAction: { unsignedDelegateAction: 'AA==' },
  })) {
    const response = await client.postWithKey(`/developer/sign/${kind}`, { walletId, ...body });
    expect(response).toMatchObject({ status: 409, code: 155501 });
  }
});

/** A ciphertext that is stored in a configuration works only once. */
test('a ciphertext is valid for one request to any endpoint', async () => {
  const { id: walletId, walletSetId } = await client.wallet();
  const entitySecretCiphertext = await ciphertext(client.world);
  const responses = await Promise.all([
    client.postWithKey('/developer/wallets', { walletSetId, blockchains: ['ETH-SEPOLIA'], entitySecretCiphertext }),
    sign({ walletId, message: 'a', entitySecretCiphertext }),
  ]);
  expect(responses.filter(({ code }) => code === 156004)).toHaveLength(1);
  expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
  for (const wrong of ['nonsense', await ciphertext(client.world, 'cd'.repeat(32))]) {
    const response = await sign({ walletId, message: 'a', entitySecretCiphertext: wrong });
    expect(response).toMatchObject({ status: 400, code: 156013 });
  }
});

test.each([
  'signMessage',
  'signTypedData',
  'signTransaction',
  'signDelegateAction',
  'signUserMessage',
  'signUserTypedData',
  'signUserTransaction',
] as const)('%s is limited to ten requests a second', (operation) => {
  const limits = new RateLimits();
  const accepted = Array.from({ length: 12 }, () => limits.take(operation, 0));
  expect(accepted.filter(Boolean)).toHaveLength(10);
});
