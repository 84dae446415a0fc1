import { CHAIN_IDS } from '../chains/chainIds';
import { ApiErrorResponse } from '../errors/apiErrorResponse';

const SUPPORTED = new Set<bigint>(Object.values(CHAIN_IDS).map(BigInt));

/**
 * A wallet may sign for every EVM blockchain of the API, because its key is the same on all of them.
 * @throws ApiErrorResponse 155808 no chain id, 155807 not a blockchain of the API
 */
export function requireChainId(chainId: bigint | undefined): void {
  if (chainId === undefined) throw new ApiErrorResponse(155808);
  if (!SUPPORTED.has(chainId)) throw new ApiErrorResponse(155807);
}
