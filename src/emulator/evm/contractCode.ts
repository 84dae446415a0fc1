import type { Hex } from 'viem';
import { checksumAddress } from '../../crypto/addresses';
import { domainOf } from '../../domain/cctp';
import { type Blockchain, sameAddress } from '../../domain/chains';
import { evmContracts } from '../crossChain/addresses';
import { accountOf } from '../ledger/ledger';
import { tokenAt } from '../ledger/tokens';
import type { ContractCode } from '../world/evmAction';
import type { World } from '../world/world';
import { ERC1155_ABI, ERC20_ABI, ERC721_ABI, MESSENGER_ABI, TRANSMITTER_ABI } from './contracts/abis';

const TOKEN_ABIS = { ERC20: ERC20_ABI, ERC721: ERC721_ABI, ERC1155: ERC1155_ABI } as const;

/** The contract at an address; undefined for an account or an unused address. */
export function codeAt(world: World, blockchain: Blockchain, address: string): ContractCode | undefined {
  const { evm } = world;
  return (
    evm.code.get(accountOf(blockchain, address)) ??
    tokenCode(world, blockchain, address) ??
    crossChainCode(world, blockchain, address)
  );
}

/** A token of the catalogue, or added by a control. If the token's standard is unknown, the contract is `opaque`. */
function tokenCode({ store }: World, blockchain: Blockchain, tokenAddress: string): ContractCode | undefined {
  const token = tokenAt(store, blockchain, tokenAddress);
  if (!token) return undefined;
  const address = checksumAddress(tokenAddress) as Hex;
  const { standard = '' } = token;
  if (!isStandard(standard)) return { kind: 'opaque', blockchain, address };
  return { kind: standard, blockchain, address, abi: TOKEN_ABIS[standard], tokenId: token.id };
}

function isStandard(standard: string): standard is keyof typeof TOKEN_ABIS {
  return Object.hasOwn(TOKEN_ABIS, standard);
}

function crossChainCode({ kind }: World, blockchain: Blockchain, address: string): ContractCode | undefined {
  if (domainOf(blockchain) === undefined) return undefined;
  const { messenger, transmitter } = evmContracts(kind);
  if (sameAddress(blockchain, address, messenger)) {
    return { kind: 'messenger', blockchain, address: messenger, abi: MESSENGER_ABI };
  }
  if (sameAddress(blockchain, address, transmitter)) {
    return { kind: 'transmitter', blockchain, address: transmitter, abi: TRANSMITTER_ABI };
  }
  return undefined;
}
