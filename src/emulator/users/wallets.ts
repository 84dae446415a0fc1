import { addWalletSet, walletSetOf } from '../areas/walletSets';
import { Refusal } from '../refusal';
import type { WalletRow, WalletSetRow } from '../store';
import { addWallet, coreOf, nextAccount, requireSpace, requireWalletChain } from '../walletCreation';
import type { World } from '../world';
import type { UserRow, UserWalletRequest } from './rows';

/**
 * What can be said before the user has approved.
 * @throws Refusal 155508 smart-contract wallets on several blockchains at once, and what `requireWalletChain` throws
 */
export function checkUserWallets(world: World, { blockchains, accountType = 'EOA' }: UserWalletRequest): void {
  if (accountType === 'SCA' && blockchains.length > 1) throw new Refusal(155508);
  for (const blockchain of blockchains) requireWalletChain(world, blockchain, accountType);
}

/**
 * A wallet of the user's on each blockchain, in the user's own wallet set, which is made with the first.
 * @throws Refusal, and nothing is made: as `checkUserWallets`, and 155502
 */
export function createUserWallets(world: World, user: UserRow, request: UserWalletRequest): WalletRow[] {
  checkUserWallets(world, request);
  const { blockchains, accountType = 'EOA', metadata } = request;
  const scaCore = coreOf(world, accountType);
  const set = setOf(world, user);
  requireSpace(set, blockchains.length);
  return blockchains.map((blockchain, position) =>
    addWallet(world, set, nextAccount(world, set, blockchain, scaCore), metadata?.[position]),
  );
}

function setOf(world: World, user: UserRow): WalletSetRow {
  if (user.walletSetId !== undefined) return walletSetOf(world, user.walletSetId);
  const set = addWalletSet(world, world.random.uuid(), { custodyType: 'ENDUSER', userId: user.id });
  user.walletSetId = set.id;
  return set;
}
