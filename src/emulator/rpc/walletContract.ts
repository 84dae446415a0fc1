import type { Hex } from 'viem';
import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem/utils';
import type { Blockchain } from '../../domain/chains';
import { Revert } from '../evm/revert';
import { accountOf } from '../ledger/ledger';
import { signerOf } from '../signing/signatures';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';

const ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
/** ERC-1271. */
const VALID = '0x1626ba7e';
const INVALID = '0xffffffff';

/** The smart-contract wallet of the entity at an address. Its contract exists from its first transaction on. */
export function deployedWallet(world: World, blockchain: Blockchain, address: string): WalletRow | undefined {
  const wallet = world.store.walletsByAccount.get(accountOf(blockchain, address));
  return wallet?.resource.accountType === 'SCA' && wallet.deployed ? wallet : undefined;
}

/**
 * Calls the contract of a wallet. It accepts what the wallet's key signed, as the API's signing calls do.
 * @throws Revert for any other function
 */
export function callWallet({ key, ownershipTransferred }: WalletRow, data: Hex): Hex {
  const [hash, signature] = argumentsOf(data);
  const isOwner = signerOf(hash, signature)?.toLowerCase() === key.address.toLowerCase();
  return encodeFunctionResult({ abi: ABI, result: isOwner && !ownershipTransferred ? VALID : INVALID });
}

function argumentsOf(data: Hex): readonly [hash: Hex, signature: Hex] {
  try {
    return decodeFunctionData({ abi: ABI, data }).args;
  } catch {
    throw new Revert('the wallet has no such function');
  }
}
