import type { Hex } from 'viem';
import type { Token } from '../../resources';
import type { Code } from './state';

/** What a transaction does on an EVM blockchain when it lands, beside moving native tokens. */
export type Action =
  | { type: 'call'; to: Hex; data: Hex; value: bigint }
  | {
      type: 'deploy';
      code: Omit<Code, 'blockchain' | 'address' | 'tokenId'>;
      /** Byte code with the encoded arguments of the constructor. */
      initCode: Hex;
      /** Of a token contract. */
      token?: Pick<Token, 'name' | 'symbol' | 'standard' | 'decimals'> | undefined;
    };
