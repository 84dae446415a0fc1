/**
 * What a contract call does to tokens:
 *
 * - `transfer`    sends native tokens, tokens or an NFT
 * - `approval`    lets somebody take tokens or NFTs later
 * - `revocation`  no longer lets somebody take any NFT
 * - `burn`        burns tokens, which somebody receives on another blockchain
 */
export type MovementKind = 'transfer' | 'approval' | 'revocation' | 'burn';

/** Who receives what, or may take what, by a contract call. Addresses of EVM blockchains are in their EIP-55 form. */
export interface CallMovement {
  kind: MovementKind;
  /** Who receives or may take it. Of a `burn`: an address of the other blockchain. */
  recipient: string;
  /** Of a `burn`: the number that the cross-chain transfer protocol (CCTP) has for the other blockchain. */
  destinationDomain?: number;
  /** The contract of the token or NFT. Absent for native tokens. */
  contract?: string;
  /** Whose tokens they are. Absent if they are those of the calling wallet or contract. */
  owner?: string;
  /** Decimal string, in tokens. Only of tokens whose decimals are known: native tokens, USDC and EURC. */
  amount?: string;
  /** Whole number, in the smallest unit of the token, whose decimals the call does not tell. */
  units?: string;
  /** Id of the NFT, as a decimal number. */
  tokenId?: string;
  /**
   * Either `units` or `tokenId`: `approve` and `transferFrom` of ERC-20 and of ERC-721 contracts have the same encoding.
   */
  unitsOrTokenId?: string;
}

/** What a contract call does, as far as its data tells. */
export interface DecodedCall {
  movements: CallMovement[];
  /** The call may do more than `movements` shows: a function in it is not known, or it is too large to decode. */
  undecoded?: true;
}
