import type { Problem } from '../src/domain/attention';
import type { DecodedCall } from '../src/domain/callMovements';
import { findChain } from '../src/domain/chains';
import { CODES } from '../src/domain/codes';
import { toBaseUnits } from '../src/domain/money';
import type { ContractCall } from '../src/domain/sentTransaction';

/** What a call does, or why it cannot be encoded. */
export type CallReading =
  { decoded: DecodedCall; problem?: never } | { decoded?: never; problem: Omit<Problem, 'name'> };

/** The code with which the API refuses such a request. */
const CODE_OF_FIELD = {
  contractAddress: CODES.destinationAddressInvalid,
  abiFunctionSignature: CODES.abiParametersMismatch,
  abiParameters: CODES.abiParametersMismatch,
} as const;

export function contractCallActivities() {
  return {
    /** Encodes a call as the API does, and decodes what it does. Both forms of a call lead to the same result. */
    async decodeCall(blockchain: string, call: Omit<ContractCall, 'walletId'>): Promise<CallReading> {
      // Loaded for the first call that needs it: most processes never do.
      const { readCall, CallDataError } = await import('../src/evm/readCall');
      const decimals = findChain(blockchain)?.native?.decimals ?? 0;
      const value = call.amount === undefined ? 0n : toBaseUnits(call.amount, decimals);
      try {
        return { decoded: readCall(blockchain, call, value) };
      } catch (error) {
        if (!(error instanceof CallDataError)) throw error;
        const { field, message, remedy } = error;
        return { problem: { code: CODE_OF_FIELD[field], reason: `${field}: ${message}`, remedy } };
      }
    },
  };
}
