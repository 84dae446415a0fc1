import { CHAINS } from '../../domain/chains';
import type { Fee } from '../chains/fees';
import { assetOf, type Account, type Asset, type Ledger, type Movement } from '../ledger';
import { Refusal } from '../refusal';
import { nativeToken, tokenOf } from '../tokens';
import type { World } from '../world';
import type { Source } from './source';

/** Codes for what is missing: native tokens, another token (EVM or not), an ERC-721 that somebody else owns. */
export interface FundsCodes {
  native: number;
  token: number;
  asset: number;
  notOwner: number;
}
export const ON_SUBMISSION: FundsCodes = { native: 155201, token: 155201, asset: 155258, notOwner: 155201 };
export const ON_ESTIMATE: FundsCodes = { native: 155204, token: 155205, asset: 155205, notOwner: 155206 };

/** A Solana account needs this many lamports, or none at all: the rent exemption of an account without data. */
const RENT_EXEMPT = 890_880n;

/**
 * Whether the sender has what moves and what the fee may cost, beyond what other transactions have set apart.
 * @throws Refusal one of `codes`; on Solana also 155262 (an account with nothing does not exist) and 155257
 */
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
  const { family } = CHAINS[source.blockchain];
  const { ledger } = store;
  if (family === 'solana' && ledger.balance(source.account, native) === 0n) throw new Refusal(155262);
  for (const [asset, units] of needed) {
    if (ledger.available(source.account, asset) >= units) continue;
    if (asset === native) throw new Refusal(codes.native);
    if (family !== 'evm') throw new Refusal(codes.asset);
    throw new Refusal(tokenOf(store, asset).standard === 'ERC721' ? codes.notOwner : codes.token);
  }
  if (family === 'solana') requireRent(ledger, source.account, native, needed.get(native) ?? 0n, movements);
}

/** @throws Refusal 155257: sender or recipient would be left with something, and less than the rent exemption */
function requireRent(
  ledger: Ledger,
  account: Account,
  native: Asset,
  spent: bigint,
  movements: readonly Movement[],
): void {
  const left = ledger.available(account, native) - spent;
  const arriving = movements.filter(({ asset }) => asset === native);
  const short = arriving.some(({ to, units }) => ledger.balance(to, native) + units < RENT_EXEMPT);
  if ((left > 0n && left < RENT_EXEMPT) || short) throw new Refusal(155257);
}
