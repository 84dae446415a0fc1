import { CHAIN_IDS } from '../chains/chainIds';
import { Refusal } from '../refusal';

const SUPPORTED = new Set<bigint>(Object.values(CHAIN_IDS).map(BigInt));

/**
 * Every wallet signs for every EVM blockchain of the API: its key is the same on all of them.
 * @throws Refusal 155808 none, 155807 not a blockchain of the API
 */
export function requireChainId(chainId: bigint | undefined): void {
  if (chainId === undefined) throw new Refusal(155808);
  if (!SUPPORTED.has(chainId)) throw new Refusal(155807);
}
