import { Transaction } from 'ethers';
import type { TestClient, TestResponse } from '../chain/support';
import { PROGRAM, wire } from '../signing/solanaWire';
import type { ErrorCodeCase } from './errorCodeCase';

const STRANGERS_KEY = Buffer.alloc(PROGRAM.length, 1);
const TRANSACTION = { type: 2, nonce: 0, gasLimit: 21_000, maxFeePerGas: 2, maxPriorityFeePerGas: 1, to: null };
const TYPED_DATA = {
  types: { Mail: [{ name: 'text', type: 'string' }] },
  primaryType: 'Mail',
  domain: { chainId: 11_155_111 },
  message: { text: 'hello' },
};

const unsigned = (chainId: number) => Transaction.from({ ...TRANSACTION, chainId }).unsignedSerialized;

/** Signs with a new wallet. */
async function sign(client: TestClient, kind: string, body: object, blockchain?: string): Promise<TestResponse> {
  const { id: walletId } = await client.wallet(blockchain);
  return client.postWithKey(`/developer/sign/${kind}`, { walletId, ...body });
}

const typedData = (client: TestClient, more: object) =>
  sign(client, 'typedData', { data: JSON.stringify({ ...TYPED_DATA, ...more }) });
const rawTransaction = (client: TestClient, raw: string) => sign(client, 'transaction', { rawTransaction: raw });

async function signedTwice(client: TestClient): Promise<TestResponse> {
  const { id: walletId } = await client.wallet();
  const send = (raw: string) => client.postWithKey('/developer/sign/transaction', { walletId, rawTransaction: raw });
  const { data } = await send(unsigned(11_155_111));
  return send(data.signedTransaction);
}

async function byUndeployedContract(client: TestClient): Promise<TestResponse> {
  const { id: walletId } = await client.wallet('ETH-SEPOLIA', 'SCA');
  return client.postWithKey('/developer/sign/message', { walletId, message: 'hello' });
}

async function byStranger(client: TestClient): Promise<TestResponse> {
  const raw = wire({ accounts: [STRANGERS_KEY, PROGRAM], signers: 1 }).toString('base64');
  return sign(client, 'transaction', { rawTransaction: raw }, 'SOL-DEVNET');
}

const fromStranger = JSON.stringify({
  from: `0x${'11'.repeat(20)}`,
  nonce: 0,
  gas: 21_000,
  gasPrice: 1,
  chainId: 11_155_111,
});

/** Codes of signing, general codes that only signing returns, and one wallet code. */
export const SIGNING: readonly ErrorCodeCase[] = [
  { code: 155801, status: 400, cause: 'request', trigger: (client) => sign(client, 'transaction', {}) },
  { code: 155802, status: 400, cause: 'request', trigger: byStranger },
  {
    code: 155803,
    status: 400,
    cause: 'request',
    trigger: (client) => sign(client, 'transaction', { transaction: fromStranger }),
  },
  { code: 155804, status: 400, cause: 'request', trigger: signedTwice },
  { code: 155805, status: 400, cause: 'request', trigger: (client) => rawTransaction(client, '0x0011') },
  {
    code: 155806,
    status: 400,
    cause: 'request',
    trigger: (client) => rawTransaction(client, '00'.repeat(128 * 1024 + 1)),
  },
  { code: 155807, status: 400, cause: 'request', trigger: (client) => rawTransaction(client, unsigned(1_337)) },
  { code: 155808, status: 400, cause: 'request', trigger: (client) => typedData(client, { domain: {} }) },
  {
    code: 156023,
    status: 409,
    cause: 'request',
    trigger: (client) => sign(client, 'message', { message: 'a', encodedByHex: true }),
  },
  { code: 156024, status: 400, cause: 'request', trigger: (client) => sign(client, 'typedData', { data: '{' }) },
  { code: 156025, status: 400, cause: 'request', trigger: (client) => sign(client, 'message', { message: '' }) },
  { code: 156026, status: 400, cause: 'request', trigger: (client) => typedData(client, { message: {} }) },
  {
    code: 156027,
    status: 400,
    cause: 'request',
    trigger: (client) =>
      client.send('POST', '/faucet/drips', { address: 'any', blockchain: 'NEAR-TESTNET', native: true }),
  },
  {
    code: 156030,
    status: 400,
    cause: 'request',
    trigger: (client) => sign(client, 'delegateAction', { unsignedDelegateAction: 'AA==' }, 'NEAR-TESTNET'),
  },
  // Only the official SDKs list this code. Its status is not published.
  { code: 155517, status: 400, cause: 'request', trigger: byUndeployedContract },
];
