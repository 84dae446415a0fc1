import { size } from 'viem/utils';
import { FINALITY, findDomain } from '../../domain/cctp';
import type { World } from '../world/world';
import { ZERO_BYTES32 } from './addresses';
import { burnFeesOf, minFee } from './routes';
import type { Burn } from './state';

/** The largest message body that the transmitter accepts, and its size without hook data, in bytes. */
const MAX_BODY_BYTES = 8_192;
const FIXED_BODY_BYTES = 228;

/**
 * Why the token messenger reverts a burn, in the order of its checks; undefined if it accepts it. It does not check what the
 * sender holds and has approved.
 * @param supportedToken the domain's USDC, in the notation of `burnToken`; undefined if the domain has no USDC contract
 */
export function burnRevertReason(
  world: World,
  burn: Pick<
    Burn,
    | 'amount'
    | 'mintRecipient'
    | 'maxFee'
    | 'sourceDomain'
    | 'destinationDomain'
    | 'burnToken'
    | 'minFinalityThreshold'
    | 'hookData'
  >,
  supportedToken: string | undefined,
): string | undefined {
  const { amount, maxFee, sourceDomain, destinationDomain } = burn;
  if (amount === 0n) return 'Amount must be nonzero';
  if (burn.mintRecipient === ZERO_BYTES32) return 'Mint recipient must be nonzero';
  if (maxFee >= amount) return 'Max fee must be less than amount';
  if (destinationDomain === sourceDomain || !findDomain(destinationDomain)) return 'No TokenMessenger for domain';
  if (burn.burnToken.toLowerCase() !== supportedToken?.toLowerCase()) return 'Burn token not supported';
  const fees = burnFeesOf(world, sourceDomain, destinationDomain);
  if (maxFee < minFee(fees, FINALITY.standard, amount)) return 'Insufficient max fee';
  const isFast = burn.minFinalityThreshold <= FINALITY.fast && fees.fast !== undefined;
  if (isFast && world.settings.lowBurnFee === 'reverts' && maxFee < minFee(fees, FINALITY.fast, amount)) {
    return 'Insufficient max fee';
  }
  return FIXED_BODY_BYTES + size(burn.hookData) > MAX_BODY_BYTES ? 'Message body exceeds max size' : undefined;
}
