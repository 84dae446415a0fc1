import { randomUUID } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519';
import { base58 } from '@scure/base';
import { getBytes, hashMessage } from 'ethers';
import { deriveKey } from '../../../src/emulator/chains/keys';
import { Limits } from '../../../src/emulator/limits';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER } from '../chain/support';
import { ciphertext } from '../core/support';
import { signerOf } from './recovery';

afterAll(closeOwnEmulator);

let chain: Chain;
beforeAll(async () => {
  chain = await Chain.open();
});

const sign = (body: object) => chain.effect('/developer/sign/message', body);

test('an EVM message is signed as EIP-191 says, by wallet or by address', async () => {
  const { id, address, blockchain } = await chain.wallet();
  const { status, data } = await sign({ walletId: id, message: 'I agree ✓', memo: 'terms' });
  expect(status).toBe(200);
  expect(data).toEqual({ signature: expect.any(String) });
  expect(signerOf(hashMessage('I agree ✓'), data.signature)).toBe(address);

  const byAddress = await sign({ walletAddress: address.toLowerCase(), blockchain, message: 'I agree ✓' });
  expect(byAddress.data.signature).toBe(data.signature);
});

test('hex is signed as the bytes that it stands for, if it is said to be hex', async () => {
  const { id, address } = await chain.wallet('EVM-TESTNET');
  const bytes = await sign({ walletId: id, message: '0x00ff', encodedByHex: true });
  expect(signerOf(hashMessage(getBytes('0x00ff')), bytes.data.signature)).toBe(address);
  const text = await sign({ walletId: id, message: '0x00ff' });
  expect(signerOf(hashMessage('0x00ff'), text.data.signature)).toBe(address);
});

test('on Solana and Aptos the bytes of a message are signed', async () => {
  const [solana, aptos] = await chain.wallets({ blockchains: ['SOL-DEVNET', 'APTOS-TESTNET'] });
  const message = Buffer.from('I agree');
  const { data } = await sign({ walletId: solana!.id, message: 'I agree' });
  expect(ed25519.verify(base58.decode(data.signature), message, base58.decode(solana!.address))).toBe(true);
  const other = await sign({ walletId: aptos!.id, message: 'I agree' });
  const { privateKey } = deriveKey(chain.world.apiKey, aptos!.walletSetId, 'aptos', 0);
  const publicKey = ed25519.getPublicKey(privateKey);
  expect(ed25519.verify(getBytes(other.data.signature), message, publicKey)).toBe(true);
});

test('a smart-contract wallet signs once it is deployed, with the key of its owner', async () => {
  const wallet = await chain.wallet('ETH-SEPOLIA', 'SCA');
  expect(await sign({ walletId: wallet.id, message: 'a' })).toMatchObject({ status: 400, code: 155517 });
  await chain.fund(wallet, { USDC: '5' });
  expect((await chain.transfer(wallet)).status).toBe(201);
  await chain.settle();
  const { status, data } = await sign({ walletId: wallet.id, message: 'a' });
  expect(status).toBe(200);
  expect(signerOf(hashMessage('a'), data.signature)).not.toBe(wallet.address);
});

test('refusals, each by its code', async () => {
  const { id: walletId, address, blockchain } = await chain.wallet();
  const near = await chain.wallet('NEAR-TESTNET');
  const refused: [body: object, code: number, status: number][] = [
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
  for (const [body, code, status] of refused) {
    expect({ body, answer: await sign(body) }).toMatchObject({ body, answer: { code, status } });
  }
});

test('a frozen wallet signs nothing', async () => {
  const { id: walletId } = await chain.wallet();
  await chain.world.control.call('POST', `/wallets/${walletId}/freeze`);
  for (const [kind, body] of Object.entries({
    message: { message: 'a' },
    typedData: { data: '{}' },
    transaction: { rawTransaction: '0x00' },
    delegateAction: { unsignedDelegateAction: 'AA==' },
  })) {
    const answer = await chain.effect(`/developer/sign/${kind}`, { walletId, ...body });
    expect(answer).toMatchObject({ status: 409, code: 155501 });
  }
});

/** Field case SB-02: a ciphertext that is kept in a configuration works once. */
test('one ciphertext is one request, whatever the endpoint', async () => {
  const { id: walletId, walletSetId } = await chain.wallet();
  const entitySecretCiphertext = await ciphertext(chain.world);
  const answers = await Promise.all([
    chain.effect('/developer/wallets', { walletSetId, blockchains: ['ETH-SEPOLIA'], entitySecretCiphertext }),
    sign({ walletId, message: 'a', entitySecretCiphertext }),
  ]);
  expect(answers.filter(({ code }) => code === 156004)).toHaveLength(1);
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  for (const wrong of ['nonsense', await ciphertext(chain.world, 'cd'.repeat(32))]) {
    const answer = await sign({ walletId, message: 'a', entitySecretCiphertext: wrong });
    expect(answer).toMatchObject({ status: 400, code: 156013 });
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
] as const)('ten a second, no more: %s', (operation) => {
  const limits = new Limits();
  const taken = Array.from({ length: 12 }, () => limits.take(operation, 0));
  expect(taken.filter(Boolean)).toHaveLength(10);
});
