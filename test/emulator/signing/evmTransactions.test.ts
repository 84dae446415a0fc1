import { Transaction, concat, encodeRlp, type TransactionLike } from 'ethers';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER } from '../chain/support';
import { signerOf } from './recovery';

afterAll(closeOwnEmulator);

const CHAIN_ID = 80_002;
const common = { to: STRANGER, nonce: 7, gasLimit: 21_000n, value: 10n ** 16n, chainId: CHAIN_ID };
const DYNAMIC = { ...common, type: 2, maxFeePerGas: 42n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
const LEGACY = { ...common, type: 0, gasPrice: 10n ** 9n };
const JSON_FORM = {
  nonce: 7,
  to: STRANGER,
  value: '10000000000000000',
  gas: '21000',
  maxFeePerGas: '42000000000',
  maxPriorityFeePerGas: '0x3b9aca00',
  chainId: CHAIN_ID,
};
/** DYNAMIC, but its nonce is written as 0x0007. */
const LEADING_ZERO = concat([
  '0x02',
  encodeRlp(['0x013882', '0x0007', '0x3b9aca00', '0x09c7652400', '0x5208', STRANGER, '0x2386f26fc10000', '0x', []]),
]);
/** As it is before anybody has signed it. */
const unsigned = (transaction: TransactionLike) => Transaction.from(transaction).unsignedSerialized;

let chain: Chain;
let wallet: { id: string; address: string };
beforeAll(async () => {
  chain = await Chain.open();
  wallet = await chain.wallet('EVM-TESTNET');
});

const sign = (body: object, walletId = wallet.id) => chain.effect('/developer/sign/transaction', { walletId, ...body });

/** The signature, and what ethers makes of the signed transaction. */
function expectSigned(
  answer: { signature: string; signedTransaction: string; txHash: string },
  transaction: TransactionLike,
) {
  const { unsignedHash, unsignedSerialized } = Transaction.from(transaction);
  expect(signerOf(unsignedHash, answer.signature)).toBe(wallet.address);
  const signed = Transaction.from(answer.signedTransaction);
  expect(signed.from).toBe(wallet.address);
  expect(signed.unsignedSerialized).toBe(unsignedSerialized);
  expect(signed.hash).toBe(answer.txHash);
  expect(signed.signature?.serialized).toBe(answer.signature);
  const recovery = Number.parseInt(answer.signature.slice(-2), 16) - 27;
  if (transaction.type === 0) expect(signed.signature?.networkV).toBe(BigInt(CHAIN_ID * 2 + 35 + recovery));
}

test.each([
  ['EIP-1559', DYNAMIC],
  ['legacy', LEGACY],
  ['with an access list', { ...LEGACY, type: 1, accessList: [{ address: STRANGER, storageKeys: [] }] }],
  ['a deployment', { ...DYNAMIC, to: null, data: '0x6080' }],
] as [string, TransactionLike][])('a raw transaction: %s', async (_name, transaction) => {
  const { status, data } = await sign({ rawTransaction: unsigned(transaction) });
  expect(status).toBe(200);
  expectSigned(data, transaction);
});

test('a JSON transaction is the same as its raw form, with 0x or without', async () => {
  const json = await sign({ transaction: JSON.stringify(JSON_FORM), memo: 'pay' });
  expectSigned(json.data, DYNAMIC);
  const raw = unsigned(DYNAMIC);
  expect((await sign({ rawTransaction: raw.slice(2) })).data).toEqual(json.data);

  const { maxFeePerGas: _max, maxPriorityFeePerGas: _tip, gas: gasLimit, ...rest } = JSON_FORM;
  const legacy = { ...rest, gasLimit, gasPrice: '1000000000', from: wallet.address.toLowerCase() };
  expectSigned((await sign({ transaction: JSON.stringify(legacy) })).data, LEGACY);
});

test('wallets of one EVM blockchain sign too', async () => {
  const { id } = await chain.wallet('MATIC-AMOY');
  expect((await sign({ rawTransaction: unsigned(DYNAMIC) }, id)).status).toBe(200);
});

test('refusals, each by its code', async () => {
  const raw = unsigned(DYNAMIC);
  const json = (more: object) => ({ transaction: JSON.stringify({ ...JSON_FORM, ...more }) });
  const signed = (await sign({ rawTransaction: raw })).data.signedTransaction;
  const signedLegacy = (await sign({ rawTransaction: unsigned(LEGACY) })).data.signedTransaction;
  // Nothing else differs, behind the type and the length.
  expect(LEADING_ZERO.replace('820007', '07').slice(6)).toBe(raw.slice(6));
  const { chainId: _, ...anywhere } = LEGACY;
  const refused: Record<string, [body: object, code: number]> = {
    nothing: [{}, 155801],
    both: [{ rawTransaction: raw, ...json({}) }, 155801],
    'no hex': [{ rawTransaction: 'hello' }, 155801],
    'no JSON': [{ transaction: '{' }, 155801],
    'a field that is missing': [json({ nonce: undefined }), 155801],
    'two kinds of fees': [json({ gasPrice: '1' }), 155801],
    'a tip above the fee': [json({ maxPriorityFeePerGas: '42000000001' }), 155801],
    'no address': [json({ to: '0x1' }), 155801],
    'another sender': [json({ from: STRANGER }), 155803],
    'signed already': [{ rawTransaction: signed }, 155804],
    'signed already, legacy': [{ rawTransaction: signedLegacy }, 155804],
    'hex of something else': [{ rawTransaction: '0x0011' }, 155805],
    'a number with a leading zero': [{ rawTransaction: LEADING_ZERO }, 155805],
    'cut off': [{ rawTransaction: raw.slice(0, -2) }, 155805],
    'too large': [{ rawTransaction: `0x${'00'.repeat(128 * 1024 + 1)}` }, 155806],
    'too large as JSON': [json({ data: `0x${'00'.repeat(128 * 1024)}` }), 155806],
    'a chain of nowhere': [{ rawTransaction: unsigned({ ...DYNAMIC, chainId: 1_337 }) }, 155807],
    'a chain of nowhere, JSON': [json({ chainId: 1_337 }), 155807],
    'no chain': [{ rawTransaction: unsigned(anywhere) }, 155808],
    'no chain, JSON': [json({ chainId: undefined }), 155808],
  };
  for (const [what, [body, code]] of Object.entries(refused)) {
    expect({ what, answer: await sign(body) }).toMatchObject({ what, answer: { status: 400, code } });
  }
  const largest = `0x${'00'.repeat(128 * 1024)}`;
  expect((await sign({ rawTransaction: largest })).code).toBe(155805);
});

test('blobs and authorizations are not signed', async () => {
  const delegated = { ...common, type: 4, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, authorizationList: [] };
  const answer = await sign({ rawTransaction: unsigned(delegated) });
  expect(answer).toMatchObject({ status: 400, code: 155801 });
});

test('a smart-contract wallet sends no transactions of its own', async () => {
  const contract = await chain.wallet('MATIC-AMOY', 'SCA');
  const rawTransaction = unsigned(DYNAMIC);
  expect((await sign({ rawTransaction }, contract.id)).code).toBe(155517);
  await chain.fund(contract, { USDC: '5' });
  await chain.transfer(contract);
  await chain.settle();
  expect(await sign({ rawTransaction }, contract.id)).toMatchObject({ status: 400, code: 155803 });
});

test('blockchains of other families have other forms', async () => {
  const [aptos, solana] = await chain.wallets({ blockchains: ['APTOS-TESTNET', 'SOL-DEVNET'] });
  expect(await sign({ rawTransaction: '0x00' }, aptos!.id)).toMatchObject({ status: 400, code: 155510 });
  expect(await sign({ transaction: JSON.stringify(JSON_FORM) }, solana!.id)).toMatchObject({
    status: 400,
    code: 155801,
  });
});
