import { CHAINS } from '../domain/chains';
import { toBaseUnits } from '../domain/money';
import { revertOfTransfer } from './chains/evm/transferRevert';
import { nativeDecimals } from './chains/fees';
import type { ErrorReason } from './errorReasons';
import { partsOf } from './ledger';
import type { Plan, TransactionRow } from './store';
import type { World } from './world';

type Finding = readonly [reason: ErrorReason, details: string, found: (world: World, row: TransactionRow) => boolean];

/** What has changed since a transaction was accepted, and keeps it from being sent; the first one counts. */
const BEFORE_SENDING: readonly Finding[] = [
  [
    'QUERY_NFT_METADATA_ERROR',
    'The contract of the NFT has no metadata',
    ({ store }, { movements }) => movements.some(({ asset }) => store.nftMetadata.get(partsOf(asset).tokenId) === null),
  ],
  [
    'FEE_EXCEEDS_MAX_ALLOWANCE',
    'The fee is above the maximum of the blockchain',
    ({ settings }, { resource: { blockchain }, fee }) =>
      CHAINS[blockchain].family === 'evm' &&
      (fee?.most ?? 0n) > toBaseUnits(settings.maxFeeNative, nativeDecimals(blockchain)),
  ],
  [
    'INSUFFICIENT_NATIVE_TOKEN',
    'The native tokens of the wallet were spent otherwise',
    (_world, { uncovered }) => uncovered === 'native',
  ],
  [
    'TRANSACTION_UNDER_PRICE',
    'No node takes an offer that far below the base fee',
    (_world, { fee }) => fee?.refused ?? false,
  ],
];

/** Why a transaction can't be sent although it was accepted. */
export function whyNotSent(world: World, row: TransactionRow): Plan['fail'] {
  const found = BEFORE_SENDING.find(([, , isFound]) => isFound(world, row));
  if (found) return { errorReason: found[0], errorDetails: found[1] };
  const { blockchain, accountType } = row.wallet.resource;
  const refused = accountType === 'SCA' ? world.settings.paymasterPolicies[blockchain] : null;
  return refused ? { errorReason: refused } : undefined;
}

/** Why a block does not carry out a transaction that was sent. */
export function whyNotLanded({ store }: World, { uncovered, resource }: TransactionRow): Plan['fail'] {
  if (uncovered === 'native') return { errorReason: 'INSUFFICIENT_NATIVE_TOKEN' satisfies ErrorReason };
  if (uncovered === 'token') {
    return { errorReason: 'FAILED_ON_CHAIN' satisfies ErrorReason, errorDetails: 'execution reverted' };
  }
  const token = store.tokens.get(resource.tokenId ?? '');
  const reverted = token && revertOfTransfer(token, resource);
  return reverted && { errorReason: 'FAILED_ON_CHAIN' satisfies ErrorReason, errorDetails: reverted.message };
}
