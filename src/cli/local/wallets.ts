import { randomUUID } from 'node:crypto';
import { createApi, type Entity } from '../../api';
import type { EmulatorControl } from '../../emulator';

/** Where the local wallets are: a testnet whose transactions take two and a half minutes to be final. */
export const BLOCKCHAIN = 'ETH-SEPOLIA';
/** Until what the faucet sends is in a wallet. */
const ARRIVAL_MS = 5 * 60_000;

/** A wallet to play with. */
export interface LocalWallet {
  id: string;
  address: string;
}

/** Wallets of a new set, made like anybody makes them: by the API. */
export async function makeWallets(entity: Entity, count: number): Promise<LocalWallet[]> {
  const api = createApi(entity);
  const { walletSet } = (await api.createWalletSet({ body: { idempotencyKey: randomUUID(), name: 'local' } })).data;
  const { wallets } = (
    await api.createWallets({
      body: { idempotencyKey: randomUUID(), walletSetId: walletSet.id, blockchains: [BLOCKCHAIN], count },
    })
  ).data;
  return wallets.map(({ id, address }) => ({ id, address }));
}

/** Lets the faucet fill a wallet, and the world's time pass until it is full. @returns the id of its USDC */
export async function fillWallet(
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
