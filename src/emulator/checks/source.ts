import { checkAddress } from '../../crypto/addresses';
import { CHAINS, keyKindOf, type Blockchain } from '../../domain/chains';
import { accountOf, type Account } from '../ledger';
import { DEVELOPERS, type Reach } from '../reach';
import { Refusal } from '../refusal';
import type { WalletRow } from '../store';
import type { World } from '../world';

export interface SourceFields {
  walletId?: string | undefined;
  sourceAddress?: string | undefined;
  walletAddress?: string | undefined;
  blockchain?: Blockchain | undefined;
}

/** Where a transaction comes from. An estimate may be asked for an address that is no wallet of ours: an EOA. */
export interface Source {
  blockchain: Blockchain;
  address: string;
  account: Account;
  sca: boolean;
  /** Fees are paid for it: smart-contract wallets on testnets, and on mainnets with a paymaster policy. */
  sponsored: boolean;
  wallet: WalletRow | undefined;
}

/**
 * The sender, by wallet or by address and blockchain. An address out of reach is one outside the entity.
 * @throws Refusal 156001 no such wallet, 155225 another blockchain than the wallet's, 155226 no address, 156006
 */
export function sourceOf(world: World, body: SourceFields, reach: Reach = DEVELOPERS): Source {
  const { store } = world;
  const address = body.sourceAddress ?? body.walletAddress;
  if (body.walletId !== undefined) {
    const wallet = store.wallets.get(body.walletId);
    if (!wallet || !reach(wallet.resource)) throw new Refusal(156001);
    const { blockchain } = wallet.resource;
    if (body.blockchain !== undefined && body.blockchain !== blockchain) throw new Refusal(155225);
    return fromWallet(world, wallet);
  }
  // The contract's rules let nothing else through.
  if (address === undefined || body.blockchain === undefined) throw new Refusal(2);
  requireKeyKind(world, body.blockchain);
  if (checkAddress(CHAINS[body.blockchain].family, address) !== undefined) throw new Refusal(155226);
  const account = accountOf(body.blockchain, address);
  const wallet = store.walletsByAccount.get(account);
  return wallet && reach(wallet.resource)
    ? fromWallet(world, wallet)
    : { blockchain: body.blockchain, address, account, sca: false, sponsored: false, wallet: undefined };
}

/** The sender of something that happens. @throws Refusal 156001 no wallet of ours, 155501 frozen, 155512 */
export function sendingWallet({ wallet }: Source): WalletRow {
  if (!wallet) throw new Refusal(156001);
  requireLive(wallet);
  requireOwner(wallet);
  return wallet;
}

/** @throws Refusal 155512: the contract of a smart-contract wallet obeys another key */
export function requireOwner({ ownerGone }: WalletRow): void {
  if (ownerGone) throw new Refusal(155512);
}

/** @throws Refusal 155501: a frozen wallet can only be queried */
export function requireLive({ resource }: WalletRow): void {
  if (resource.state === 'FROZEN') throw new Refusal(155501);
}

/** @throws Refusal 156006: a test key with a mainnet, or a live key with a testnet */
export function requireKeyKind({ kind }: World, blockchain: Blockchain): void {
  if (keyKindOf(blockchain) !== kind) throw new Refusal(156006);
}

/** @throws Refusal 175410 */
export function requireContractAddress(address: string): void {
  const problem = checkAddress('evm', address);
  if (problem) throw new Refusal(175410, { message: `The address ${problem}` });
}

function fromWallet({ settings }: World, wallet: WalletRow): Source {
  const { blockchain, address, accountType } = wallet.resource;
  const sca = accountType === 'SCA';
  const { network } = CHAINS[blockchain];
  const sponsored = sca && (network === 'testnet' || settings.paymasterPolicies[blockchain] !== undefined);
  return { blockchain, address, account: accountOf(blockchain, address), sca, sponsored, wallet };
}
