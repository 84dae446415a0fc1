import type { Abi, Hex } from 'viem';
import type { Blockchain } from '../../domain/chains';
import type { Token } from '../ledger/resources';

/** What a contract's code does. The code of an `opaque` contract is not run: every call succeeds and does nothing. */
export type ContractKind = 'ERC20' | 'ERC721' | 'ERC1155' | 'airdrop' | 'messenger' | 'transmitter' | 'opaque';

/** The contract at an address of an EVM blockchain. */
export interface ContractCode {
  kind: ContractKind;
  blockchain: Blockchain;
  /** With its checksum. */
  address: Hex;
  /** Absent for an unverified contract: its ABI was never published. */
  abi?: Abi | undefined;
  /** Of a token contract: the id of its token in the store. */
  tokenId?: string | undefined;
  /** The address that may mint or airdrop; without it no address may. */
  admin?: Hex | undefined;
  /** Of a proxy: the contract that it calls. */
  implementation?: Hex | undefined;
}

/** What a transaction does in its block on an EVM blockchain, besides moving native tokens. */
export type Action =
  | { type: 'call'; to: Hex; data: Hex; value: bigint }
  | {
      type: 'deploy';
      code: Omit<ContractCode, 'blockchain' | 'address' | 'tokenId'>;
      /** Byte code with the encoded arguments of the constructor. */
      initCode: Hex;
      /** Of a token contract. */
      token?: Pick<Token, 'name' | 'symbol' | 'standard' | 'decimals'> | undefined;
    };
