import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { addWallet, coreOf, nextAccounts, requireCapacity, requireWalletChain } from '../wallets/walletCreation';
import { addWalletSet, walletSetOf } from '../wallets/walletSets';
import type { WalletRow, WalletSetRow } from '../world/walletRows';
import type { World } from '../world/world';
import type { UserRow, UserWalletRequest } from './rows';

/**
 * Checks a request for wallets before the user approves it.
 * @throws ApiErrorResponse 155508 smart-contract wallets on several blockchains, 156017 a blockchain twice, and those of `requireWalletChain`
 */
export function checkUserWallets(world: World, { blockchains, accountType = 'EOA' }: UserWalletRequest): void {
  if (accountType === 'SCA' && blockchains.length > 1) throw new ApiErrorResponse(155508);
  if (new Set(blockchains).size !== blockchains.length) throw new ApiErrorResponse(156017);
  for (const blockchain of blockchains) requireWalletChain(world, blockchain, accountType);
}

/**
 * Creates a wallet on each blockchain, in the user's own wallet set. The first wallet creates the set.
 * @throws ApiErrorResponse and creates no wallet: those of `checkUserWallets`, and 155502 the set is full
 */
export function createUserWallets(world: World, user: UserRow, request: UserWalletRequest): WalletRow[] {
  checkUserWallets(world, request);
  const { blockchains, accountType = 'EOA', metadata } = request;
  const scaCore = coreOf(world, accountType);
  const set = setOf(world, user);
  requireCapacity(set, blockchains.length);
  return nextAccounts(world, set, blockchains, scaCore).map((account, position) =>
    addWallet(world, set, account, metadata?.[position]),
  );
}

function setOf(world: World, user: UserRow): WalletSetRow {
  if (user.walletSetId !== undefined) return walletSetOf(world, user.walletSetId);
  const set = addWalletSet(world, world.random.uuid(), { custodyType: 'ENDUSER', userId: user.id });
  user.walletSetId = set.id;
  return set;
}
