import { concat, encodeRlp, Transaction, type TransactionLike } from 'ethers';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient } from '../chain/support';
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
/** DYNAMIC with its nonce encoded as 0x0007. */
const LEADING_ZERO = concat([
  '0x02',
  encodeRlp(['0x013882', '0x0007', '0x3b9aca00', '0x09c7652400', '0x5208', STRANGER, '0x2386f26fc10000', '0x', []]),
]);
/** The unsigned transaction. */
const unsigned = (transaction: TransactionLike) => Transaction.from(transaction).unsignedSerialized;

let client: TestClient;
let wallet: { id: string; address: string };
beforeAll(async () => {
  client = await TestClient.open();
  wallet = await client.wallet('EVM-TESTNET');
});

const sign = (body: object, walletId = wallet.id) =>
  client.postWithKey('/developer/sign/transaction', { walletId, ...body });

/** Signs a transaction. @returns the signature and the signed transaction as ethers parses it */
function expectSigned(
  response: { signature: string; signedTransaction: string; txHash: string },
  transaction: TransactionLike,
) {
  const { unsignedHash, unsignedSerialized } = Transaction.from(transaction);
  expect(signerOf(unsignedHash, response.signature)).toBe(wallet.address);
  const signed = Transaction.from(response.signedTransaction);
  expect(signed.from).toBe(wallet.address);
  expect(signed.unsignedSerialized).toBe(unsignedSerialized);
  expect(signed.hash).toBe(response.txHash);
  expect(signed.signature?.serialized).toBe(response.signature);
  const recovery = Number.parseInt(response.signature.slice(-2), 16) - 27;
  if (transaction.type === 0) expect(signed.signature?.networkV).toBe(BigInt(CHAIN_ID * 2 + 35 + recovery));
}

test.each([
  ['EIP-1559', DYNAMIC],
  ['legacy', LEGACY],
  ['with an access list', { ...LEGACY, type: 1, accessList: [{ address: STRANGER, storageKeys: [] }] }],
  ['a deployment', { ...DYNAMIC, to: null, data: '0x6080' }],
] as [string, TransactionLike][])('a raw transaction is signed: %s', async (_name, transaction) => {
  const { status, data } = await sign({ rawTransaction: unsigned(transaction) });
  expect(status).toBe(200);
  expectSigned(data, transaction);
});

test('a JSON transaction has the same signature as its raw form, with or without 0x', async () => {
  const json = await sign({ transaction: JSON.stringify(JSON_FORM), memo: 'pay' });
  expectSigned(json.data, DYNAMIC);
  const raw = unsigned(DYNAMIC);
  expect((await sign({ rawTransaction: raw.slice(2) })).data).toEqual(json.data);

  const { maxFeePerGas: _max, maxPriorityFeePerGas: _tip, gas: gasLimit, ...rest } = JSON_FORM;
  const legacy = { ...rest, gasLimit, gasPrice: '1000000000', from: wallet.address.toLowerCase() };
  expectSigned((await sign({ transaction: JSON.stringify(legacy) })).data, LEGACY);
});

test('a wallet on a specific EVM blockchain can sign', async () => {
  const { id } = await client.wallet('MATIC-AMOY');
  expect((await sign({ rawTransaction: unsigned(DYNAMIC) }, id)).status).toBe(200);
});

test('each invalid request is rejected with its code', async () => {
  const raw = unsigned(DYNAMIC);
  const json = (more: object) => ({ transaction: JSON.stringify({ ...JSON_FORM, ...more }) });
  const signed = (await sign({ rawTransaction: raw })).data.signedTransaction;
  const signedLegacy = (await sign({ rawTransaction: unsigned(LEGACY) })).data.signedTransaction;
  // Only the nonce differs, apart from type and length.
  expect(LEADING_ZERO.replace('820007', '07').slice(6)).toBe(raw.slice(6));
  const { chainId: _, ...anywhere } = LEGACY;
  const rejected: Record<string, [body: object, code: number]> = {
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
  for (const [problem, [body, code]] of Object.entries(rejected)) {
    expect({ what: problem, response: await sign(body) }).toMatchObject({
      what: problem,
      response: { status: 400, code },
    });
  }
  const largest = `0x${'00'.repeat(128 * 1024)}`;
  expect((await sign({ rawTransaction: largest })).code).toBe(155805);
});

/** BNB Smart Chain Testnet, Scroll Sepolia, and one that needs more than 32 bits. */
test.each([97, 534_351, 11_297_108_099])('a generic testnet wallet signs for chain %d', async (chainId) => {
  const transaction = { ...DYNAMIC, chainId };
  const { data } = await sign({ rawTransaction: unsigned(transaction) });
  expect(Transaction.from(data.signedTransaction).from).toBe(wallet.address);
  expect((await sign({ transaction: JSON.stringify({ ...JSON_FORM, chainId }) })).status).toBe(200);
});

test('a wallet of one blockchain signs only for the blockchains of the API', async () => {
  const bound = await client.wallet('ETH-SEPOLIA');
  expect(await sign({ rawTransaction: unsigned({ ...DYNAMIC, chainId: 97 }) }, bound.id)).toMatchObject({
    code: 155807,
  });
  expect((await sign({ rawTransaction: unsigned(DYNAMIC) }, bound.id)).status).toBe(200);
});

test('a generic mainnet wallet signs for any chain', async () => {
  const live = await TestClient.open({}, 'live');
  const { id } = await live.wallet('EVM');
  const body = { walletId: id, rawTransaction: unsigned({ ...DYNAMIC, chainId: 1_337 }) };
  expect((await live.postWithKey('/developer/sign/transaction', body)).status).toBe(200);
});

test('transactions with blobs or authorizations are rejected', async () => {
  const delegated = { ...common, type: 4, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, authorizationList: [] };
  const response = await sign({ rawTransaction: unsigned(delegated) });
  expect(response).toMatchObject({ status: 400, code: 155801 });
});

test('a smart-contract wallet cannot sign transactions', async () => {
  const contract = await client.wallet('MATIC-AMOY', 'SCA');
  const rawTransaction = unsigned(DYNAMIC);
  expect((await sign({ rawTransaction }, contract.id)).code).toBe(155517);
  await client.fund(contract, { USDC: '5' });
  await client.transfer(contract);
  await client.settle();
  expect(await sign({ rawTransaction }, contract.id)).toMatchObject({ status: 400, code: 155803 });
});

test('transactions of other blockchain families are rejected', async () => {
  const [aptos, solana] = await client.wallets({ blockchains: ['APTOS-TESTNET', 'SOL-DEVNET'] });
  expect(await sign({ rawTransaction: '0x00' }, aptos!.id)).toMatchObject({ status: 400, code: 155510 });
  expect(await sign({ transaction: JSON.stringify(JSON_FORM) }, solana!.id)).toMatchObject({
    status: 400,
    code: 155801,
  });
});
