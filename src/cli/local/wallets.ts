import { randomUUID } from 'node:crypto';
import { createApi, type Entity } from '../../api';
import type { EmulatorControl } from '../../emulator';

/** The blockchain of the local wallets: a testnet whose transactions are final after two and a half minutes. */
export const BLOCKCHAIN = 'ETH-SEPOLIA';
/** Longer than the faucet's deposits take to arrive. */
const ARRIVAL_MS = 5 * 60_000;

export interface LocalWallet {
  id: string;
  address: string;
}

/** Creates wallets in a new wallet set, through the API. */
export async function makeWallets(
  entity: Entity,
  count: number,
  accountType: 'EOA' | 'SCA' = 'EOA',
): Promise<LocalWallet[]> {
  const api = createApi(entity);
  const { walletSet } = (await api.createWalletSet({ body: { idempotencyKey: randomUUID(), name: 'local' } })).data;
  const { wallets } = (
    await api.createWallets({
      body: { idempotencyKey: randomUUID(), walletSetId: walletSet.id, blockchains: [BLOCKCHAIN], count, accountType },
    })
  ).data;
  return wallets.map(({ id, address }) => ({ id, address }));
}

/**
 * Funds a wallet from the faucet and advances the world's clock until the deposits have arrived.
 * @returns the id of USDC
 */
export async function fundWallet(
  entity: Entity,
  world: EmulatorControl,
  { id, address }: LocalWallet,
): Promise<string> {
  const api = createApi(entity);
  await api.requestDrip({ body: { address, blockchain: BLOCKCHAIN, native: true, usdc: true } });
  await world.advance(ARRIVAL_MS);
  const { tokenBalances = [] } = (await api.listBalances({ params: { id } })).data;
  const usdc = tokenBalances.find(({ token }) => token.symbol === 'USDC');
  if (!usdc) throw new Error(`The faucet's USDC did not arrive in wallet ${id}`);
  return usdc.token.id;
}
