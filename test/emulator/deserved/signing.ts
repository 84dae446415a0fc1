import { Transaction } from 'ethers';
import type { Answer, Chain } from '../chain/support';
import { PROGRAM, wire } from '../signing/solanaWire';
import type { Deserved } from './deserved';

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
async function sign(chain: Chain, kind: string, body: object, blockchain?: string): Promise<Answer> {
  const { id: walletId } = await chain.wallet(blockchain);
  return chain.effect(`/developer/sign/${kind}`, { walletId, ...body });
}

const typedData = (chain: Chain, more: object) =>
  sign(chain, 'typedData', { data: JSON.stringify({ ...TYPED_DATA, ...more }) });
const rawTransaction = (chain: Chain, raw: string) => sign(chain, 'transaction', { rawTransaction: raw });

async function signedTwice(chain: Chain): Promise<Answer> {
  const { id: walletId } = await chain.wallet();
  const send = (raw: string) => chain.effect('/developer/sign/transaction', { walletId, rawTransaction: raw });
  const { data } = await send(unsigned(11_155_111));
  return send(data.signedTransaction);
}

async function byUndeployedContract(chain: Chain): Promise<Answer> {
  const { id: walletId } = await chain.wallet('ETH-SEPOLIA', 'SCA');
  return chain.effect('/developer/sign/message', { walletId, message: 'hello' });
}

async function byStranger(chain: Chain): Promise<Answer> {
  const raw = wire({ accounts: [STRANGERS_KEY, PROGRAM], signers: 1 }).toString('base64');
  return sign(chain, 'transaction', { rawTransaction: raw }, 'SOL-DEVNET');
}

const fromStranger = JSON.stringify({
  from: `0x${'11'.repeat(20)}`,
  nonce: 0,
  gas: 21_000,
  gasPrice: 1,
  chainId: 11_155_111,
});

/** Signing: codes of its own, those of all areas that only signing earns, and one of wallets. */
export const SIGNING: readonly Deserved[] = [
  { code: 155801, status: 400, by: 'request', earn: (chain) => sign(chain, 'transaction', {}) },
  { code: 155802, status: 400, by: 'request', earn: byStranger },
  {
    code: 155803,
    status: 400,
    by: 'request',
    earn: (chain) => sign(chain, 'transaction', { transaction: fromStranger }),
  },
  { code: 155804, status: 400, by: 'request', earn: signedTwice },
  { code: 155805, status: 400, by: 'request', earn: (chain) => rawTransaction(chain, '0x0011') },
  { code: 155806, status: 400, by: 'request', earn: (chain) => rawTransaction(chain, '00'.repeat(128 * 1024 + 1)) },
  { code: 155807, status: 400, by: 'request', earn: (chain) => rawTransaction(chain, unsigned(1_337)) },
  { code: 155808, status: 400, by: 'request', earn: (chain) => typedData(chain, { domain: {} }) },
  {
    code: 156023,
    status: 409,
    by: 'request',
    earn: (chain) => sign(chain, 'message', { message: 'a', encodedByHex: true }),
  },
  { code: 156024, status: 400, by: 'request', earn: (chain) => sign(chain, 'typedData', { data: '{' }) },
  { code: 156025, status: 400, by: 'request', earn: (chain) => sign(chain, 'message', { message: '' }) },
  { code: 156026, status: 400, by: 'request', earn: (chain) => typedData(chain, { message: {} }) },
  {
    code: 156027,
    status: 400,
    by: 'request',
    earn: (chain) => chain.send('POST', '/faucet/drips', { address: 'any', blockchain: 'NEAR-TESTNET', native: true }),
  },
  {
    code: 156030,
    status: 400,
    by: 'request',
    earn: (chain) => sign(chain, 'delegateAction', { unsignedDelegateAction: 'AA==' }, 'NEAR-TESTNET'),
  },
  // Known from the official SDKs; its status is not published.
  { code: 155517, status: 400, by: 'request', earn: byUndeployedContract },
];
