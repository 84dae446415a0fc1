import { checkAddress } from '../../crypto/addresses';
import { type Blockchain, CHAINS, keyKindOf } from '../../domain/chains';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { type Account, accountOf } from '../ledger/ledger';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';
import { type AccessFilter, DEVELOPER_OWNED } from './access';

export interface SenderFields {
  walletId?: string | undefined;
  sourceAddress?: string | undefined;
  walletAddress?: string | undefined;
  blockchain?: Blockchain | undefined;
}

/** The sender of a transaction. An estimate may name an address outside the entity's wallets; it is treated as an EOA. */
export interface Sender {
  blockchain: Blockchain;
  address: string;
  account: Account;
  sca: boolean;
  /** A paymaster pays its fees: smart-contract wallets on testnets, and on mainnets with a paymaster policy. */
  sponsored: boolean;
  wallet: WalletRow | undefined;
}

/**
 * Finds the sender by wallet id, or by address and blockchain. An inaccessible wallet's address is treated as external.
 * @throws ApiErrorResponse 156001 no such wallet, 155225 not the wallet's blockchain, 155226 not an address, 156006
 */
export function senderOf(world: World, body: SenderFields, access: AccessFilter = DEVELOPER_OWNED): Sender {
  const { store } = world;
  const address = body.sourceAddress ?? body.walletAddress;
  if (body.walletId !== undefined) {
    const wallet = store.wallets.get(body.walletId);
    if (!wallet || !access(wallet.resource)) throw new ApiErrorResponse(156001);
    const { blockchain } = wallet.resource;
    if (body.blockchain !== undefined && body.blockchain !== blockchain) throw new ApiErrorResponse(155225);
    return senderOfWallet(world, wallet);
  }
  // Cannot happen: the contract's rules have rejected such a body.
  if (address === undefined || body.blockchain === undefined) throw new ApiErrorResponse(2);
  requireKeyKind(world, body.blockchain);
  if (checkAddress(CHAINS[body.blockchain].family, address) !== undefined) throw new ApiErrorResponse(155226);
  const account = accountOf(body.blockchain, address);
  const wallet = store.walletsByAccount.get(account);
  return wallet && access(wallet.resource)
    ? senderOfWallet(world, wallet)
    : { blockchain: body.blockchain, address, account, sca: false, sponsored: false, wallet: undefined };
}

/**
 * The wallet of a sender that submits a transaction.
 * @throws ApiErrorResponse 156001 no wallet, 155501 frozen, 155512
 */
export function sendingWallet({ wallet }: Sender): WalletRow {
  if (!wallet) throw new ApiErrorResponse(156001);
  requireLive(wallet);
  requireOwner(wallet);
  return wallet;
}

/** @throws ApiErrorResponse 155512 the smart-contract wallet now has another owner */
export function requireOwner({ ownershipTransferred }: WalletRow): void {
  if (ownershipTransferred) throw new ApiErrorResponse(155512);
}

/** @throws ApiErrorResponse 155501 a frozen wallet can only be queried */
export function requireLive({ resource }: WalletRow): void {
  if (resource.state === 'FROZEN') throw new ApiErrorResponse(155501);
}

/** @throws ApiErrorResponse 156006 a test key with a mainnet, or a live key with a testnet */
export function requireKeyKind({ kind }: World, blockchain: Blockchain): void {
  if (keyKindOf(blockchain) !== kind) throw new ApiErrorResponse(156006);
}

/** @throws ApiErrorResponse 175410 */
export function requireContractAddress(address: string): void {
  const problem = checkAddress('evm', address);
  if (problem) throw new ApiErrorResponse(175410, { message: `The address ${problem}` });
}

function senderOfWallet({ settings }: World, wallet: WalletRow): Sender {
  const { blockchain, address, accountType } = wallet.resource;
  const sca = accountType === 'SCA';
  const { network } = CHAINS[blockchain];
  const sponsored = sca && (network === 'testnet' || settings.paymasterPolicies[blockchain] !== undefined);
  return { blockchain, address, account: accountOf(blockchain, address), sca, sponsored, wallet };
}
