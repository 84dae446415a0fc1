import { Transaction, TypedDataEncoder, Wallet } from 'ethers';
import { signerOf } from '../../../src/crypto/evmSigner';

const wallet = new Wallet(`0x${'11'.repeat(32)}`);
const DOMAIN = { name: 'Mail', chainId: 1 };
const TYPES = { Mail: [{ name: 'text', type: 'string' }] };
const MESSAGE = { text: 'hello' };
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('the signer of an EVM payload', () => {
  test('of a message, as text and as hex', async () => {
    const signature = await wallet.signMessage('hello');
    expect(await signerOf({ kind: 'message', message: 'hello' }, { signature })).toBe(wallet.address);
    expect(await signerOf({ kind: 'message', message: 'hallo' }, { signature })).not.toBe(wallet.address);
    const bytes = await wallet.signMessage(new Uint8Array([0xc0, 0xff, 0xee]));
    const message = '0xc0ffee';
    expect(await signerOf({ kind: 'message', message, encodedByHex: true }, { signature: bytes })).toBe(wallet.address);
    expect(await signerOf({ kind: 'message', message }, { signature: bytes })).not.toBe(wallet.address);
  });

  test('of typed data, with and without the type of its domain', async () => {
    const signature = await wallet.signTypedData(DOMAIN, TYPES, MESSAGE);
    const EIP712Domain = [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ];
    for (const types of [TYPES, { ...TYPES, EIP712Domain }]) {
      const data = JSON.stringify({ types, primaryType: 'Mail', domain: DOMAIN, message: MESSAGE });
      expect(await signerOf({ kind: 'typedData', data }, { signature })).toBe(wallet.address);
    }
    const payload = TypedDataEncoder.getPayload(DOMAIN, TYPES, { text: 'other' });
    const other = await signerOf({ kind: 'typedData', data: JSON.stringify(payload) }, { signature });
    expect(other).not.toBe(wallet.address);
  });

  test.each([
    ['legacy', { type: 0, gasPrice: 1n }],
    ['access list', { type: 1, gasPrice: 1n, accessList: [{ address: TO, storageKeys: [`0x${'00'.repeat(32)}`] }] }],
    ['EIP-1559', { type: 2, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, data: '0x1234' }],
  ])('of a transaction: %s', async (_type, more) => {
    const content = { to: TO, nonce: 0, gasLimit: 21_000n, value: 5n, chainId: 11_155_111, ...more };
    const unsigned = Transaction.from(content);
    const signedTransaction = await wallet.signTransaction(content);
    const rawTransaction = unsigned.unsignedSerialized;
    const signed = { signature: '0x', signedTransaction };
    expect(await signerOf({ kind: 'transaction', rawTransaction }, signed)).toBe(wallet.address);
    const upper = rawTransaction.slice(2).toUpperCase();
    expect(await signerOf({ kind: 'transaction', rawTransaction: upper }, signed)).toBe(wallet.address);
    const json = { ...content, value: '0x5', gasLimit: 21_000, gasPrice: 1 };
    const asked = (changes: object) =>
      JSON.stringify({ ...json, ...changes }, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(await signerOf({ kind: 'transaction', transaction: asked({}) }, signed)).toBe(wallet.address);
    for (const changes of [{ to: wallet.address }, { value: 6 }, { nonce: 1 }, { data: '0x12' }, { chainId: 1 }])
      expect(await signerOf({ kind: 'transaction', transaction: asked(changes) }, signed)).toBeUndefined();
    const other = Transaction.from({ ...content, value: 6n }).unsignedSerialized;
    expect(await signerOf({ kind: 'transaction', rawTransaction: other }, signed)).toBeUndefined();
    expect(
      await signerOf({ kind: 'transaction', rawTransaction }, { ...signed, signedTransaction: rawTransaction }),
    ).toBe(undefined);
  });

  test.each(['', '0x', 'none', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`])(
    'of an unreadable signature %j is unknown',
    async (signature) => {
      expect(await signerOf({ kind: 'message', message: 'hello' }, { signature })).toBeUndefined();
      expect(await signerOf({ kind: 'typedData', data: '{' }, { signature })).toBeUndefined();
      expect(await signerOf({ kind: 'transaction' }, { signature })).toBeUndefined();
    },
  );
});
