import type { Fee } from '../chains/fees';
import { assetOf, type Asset, type Movement } from '../ledger';
import { Refusal } from '../refusal';
import { nativeToken, tokenOf } from '../tokens';
import type { World } from '../world';
import type { Source } from './source';

/** Codes for what is missing: native tokens, another token, an ERC-721 that somebody else owns. */
export interface FundsCodes {
  native: number;
  token: number;
  notOwner: number;
}
export const ON_SUBMISSION: FundsCodes = { native: 155201, token: 155201, notOwner: 155201 };
export const ON_ESTIMATE: FundsCodes = { native: 155204, token: 155205, notOwner: 155206 };

/** Whether the sender has what moves and what the fee may cost, beyond what other transactions have set apart. */
export function requireFunds(
  { store }: World,
  source: Source,
  movements: readonly Movement[],
  fee: Pick<Fee, 'most'>,
  codes: FundsCodes,
): void {
  const native = assetOf(nativeToken(store, source.blockchain).id);
  const needed = new Map<Asset, bigint>();
  for (const { asset, units } of movements) needed.set(asset, (needed.get(asset) ?? 0n) + units);
  if (!source.sponsored) needed.set(native, (needed.get(native) ?? 0n) + fee.most);
  for (const [asset, units] of needed) {
    if (store.ledger.available(source.account, asset) >= units) continue;
    if (asset === native) throw new Refusal(codes.native);
    throw new Refusal(tokenOf(store, asset).standard === 'ERC721' ? codes.notOwner : codes.token);
  }
}
