import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ApiError } from '../../src/api';
import type { Blockchain } from '../../src/domain/chains';
import type { Stack } from './stack';

export interface FundedWallet {
  id: string;
  address: string;
  blockchain: Blockchain;
  /** The chain's USDC; 6 decimals. */
  usdcId: string;
  nativeId: string;
}

/** Creates a developer wallet with these balances. The faucet's limits do not apply. */
export async function fundedWallet(
  { api, world }: Pick<Stack, 'api' | 'world'>,
  {
    blockchain = 'ETH-SEPOLIA',
    accountType = 'EOA',
    native = '10',
    usdc = '1000',
  }: {
    blockchain?: Blockchain;
    accountType?: 'EOA' | 'SCA';
    native?: string;
    usdc?: string;
  } = {},
): Promise<FundedWallet> {
  const wallet = await emptyWallet({ api }, { blockchain, accountType });
  return fund({ world }, { ...wallet, blockchain }, { native, usdc });
}

/** Adds funds to a wallet. The faucet's limits do not apply. */
export async function fund(
  { world }: Pick<Stack, 'world'>,
  wallet: { id: string; address: string; blockchain: Blockchain },
  { native, usdc }: { native: string; usdc: string },
): Promise<FundedWallet> {
  const { blockchain } = wallet;
  const { tokens } = await world.control.call<{ tokens: Token[] }>('GET', '/tokens');
  const here = tokens.filter((token) => token.blockchain === blockchain);
  const nativeId = idOf(here, ({ isNative }) => isNative);
  const usdcId = idOf(here, ({ symbol, isNative }) => symbol === 'USDC' && !isNative);
  for (const [tokenId, amount] of [
    [nativeId, native],
    [usdcId, usdc],
  ]) {
    if (amount !== '0') await world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, amount });
  }
  await world.control.advance(30 * 60_000);
  return { id: wallet.id, address: wallet.address, blockchain, nativeId, usdcId };
}

/** Creates a developer wallet without funds. */
export async function emptyWallet(
  { api }: Pick<Stack, 'api'>,
  { blockchain, accountType }: { blockchain: Blockchain; accountType: 'EOA' | 'SCA' },
): Promise<{ id: string; address: string }> {
  const name = { idempotencyKey: randomUUID(), name: 'test' };
  const set = await withinLimit(() => api.createWalletSet({ body: name }));
  const body = {
    idempotencyKey: randomUUID(),
    walletSetId: set.data.walletSet.id,
    blockchains: [blockchain],
    accountType,
    count: 1,
  };
  const created = await withinLimit(() => api.createWallets({ body }));
  const wallet = created.data.wallets[0];
  if (!wallet) throw new Error('No wallet was created');
  return wallet;
}

/** Repeats a call while the API refuses it, because a test sets up faster than the API's limits allow. */
async function withinLimit<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await setTimeout(200);
    }
  }
}

interface Token {
  id: string;
  blockchain: string;
  isNative: boolean;
  symbol?: string;
}

function idOf(tokens: Token[], matches: (token: Token) => boolean): string {
  const found = tokens.find(matches);
  if (!found) throw new Error('The emulator has no such token');
  return found.id;
}
