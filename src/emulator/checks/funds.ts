import { CHAINS } from '../../domain/chains';
import type { Fee } from '../chains/fees';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { type Account, type Asset, assetOf, type Ledger, type Movement } from '../ledger/ledger';
import { nativeToken, tokenOf } from '../ledger/tokens';
import type { Sender } from '../wallets/sender';
import type { World } from '../world/world';

/** Error codes for insufficient funds: native tokens, an EVM token, a non-EVM asset, an ERC-721 of another owner. */
export interface FundsCodes {
  native: number;
  token: number;
  asset: number;
  notOwner: number;
}
export const ON_SUBMISSION: FundsCodes = { native: 155201, token: 155201, asset: 155258, notOwner: 155201 };
export const ON_ESTIMATE: FundsCodes = { native: 155204, token: 155205, asset: 155205, notOwner: 155206 };

/**
 * Lamports. A Solana account must have at least this much or nothing: the rent exemption of an account without data.
 */
const RENT_EXEMPT = 890_880n;

/**
 * Checks that the sender's unreserved funds cover the movements and the maximum fee.
 * @throws ApiErrorResponse one of `codes`; on Solana also 155262 (an empty account does not exist) and 155257
 */
export function requireFunds(
  { store }: World,
  sender: Sender,
  movements: readonly Movement[],
  fee: Pick<Fee, 'max'>,
  codes: FundsCodes,
): void {
  const native = assetOf(nativeToken(store, sender.blockchain).id);
  const needed = new Map<Asset, bigint>();
  for (const { asset, units } of movements) needed.set(asset, (needed.get(asset) ?? 0n) + units);
  if (!sender.sponsored) needed.set(native, (needed.get(native) ?? 0n) + fee.max);
  const { family } = CHAINS[sender.blockchain];
  const { ledger } = store;
  if (family === 'solana' && ledger.balance(sender.account, native) === 0n) throw new ApiErrorResponse(155262);
  for (const [asset, units] of needed) {
    if (ledger.available(sender.account, asset) >= units) continue;
    if (asset === native) throw new ApiErrorResponse(codes.native);
    if (family !== 'evm') throw new ApiErrorResponse(codes.asset);
    throw new ApiErrorResponse(tokenOf(store, asset).standard === 'ERC721' ? codes.notOwner : codes.token);
  }
  if (family === 'solana') requireRent(ledger, sender.account, native, needed.get(native) ?? 0n, movements);
}

/** @throws ApiErrorResponse 155257 sender or recipient would have more than nothing and less than the rent exemption */
function requireRent(
  ledger: Ledger,
  account: Account,
  native: Asset,
  spent: bigint,
  movements: readonly Movement[],
): void {
  const remaining = ledger.available(account, native) - spent;
  const arriving = movements.filter(({ asset }) => asset === native);
  const short = arriving.some(({ to, units }) => ledger.balance(to, native) + units < RENT_EXEMPT);
  if ((remaining > 0n && remaining < RENT_EXEMPT) || short) throw new ApiErrorResponse(155257);
}
