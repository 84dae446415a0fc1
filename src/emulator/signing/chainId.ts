import type { Blockchain } from '../../domain/chains';
import { CHAIN_IDS } from '../chains/chainIds';
import { TESTNET_CHAIN_IDS } from '../chains/testnetChainIds';
import { ApiErrorResponse } from '../errors/apiErrorResponse';

/** Chains of the API. Every EVM wallet signs for them, because its key is the same on all of them. */
const OWN = new Set<bigint>(Object.values(CHAIN_IDS).map(BigInt));

/**
 * Checks that a wallet of this blockchain signs for a chain (docs/api-behavior.md#signing).
 * @throws ApiErrorResponse 155808 no chain id, 155807 not supported
 */
export function requireChainId(blockchain: Blockchain, chainId: bigint | undefined): void {
  if (chainId === undefined) throw new ApiErrorResponse(155808);
  if (blockchain === 'EVM' || OWN.has(chainId)) return;
  if (blockchain === 'EVM-TESTNET' && TESTNET_CHAIN_IDS.has(Number(chainId))) return;
  throw new ApiErrorResponse(155807);
}
