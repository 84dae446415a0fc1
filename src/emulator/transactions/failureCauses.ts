import { CHAINS } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import { nativeDecimals } from '../chains/fees';
import type { ErrorReason } from '../errors/errorReasons';
import { revertOfTransfer } from '../evm/transferRevert';
import { parseAsset } from '../ledger/ledger';
import type { PlannedOutcome, TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';

type FailureCheck = readonly [
  reason: ErrorReason,
  details: string,
  isCause: (world: World, row: TransactionRow) => boolean,
];

/** Changes since a transaction was accepted that prevent it from being sent. The first match is the reason. */
const BEFORE_SENDING: readonly FailureCheck[] = [
  [
    'QUERY_NFT_METADATA_ERROR',
    'The contract of the NFT has no metadata',
    ({ store }, { movements }) =>
      movements.some(({ asset }) => store.nftMetadata.get(parseAsset(asset).tokenId) === null),
  ],
  [
    'FEE_EXCEEDS_MAX_ALLOWANCE',
    'The fee is above the maximum of the blockchain',
    ({ settings }, { resource: { blockchain }, fee }) =>
      CHAINS[blockchain].family === 'evm' &&
      (fee?.max ?? 0n) > toBaseUnits(settings.maxFeeNative, nativeDecimals(blockchain)),
  ],
  [
    'INSUFFICIENT_NATIVE_TOKEN',
    'The native tokens of the wallet were spent outside the API',
    (_world, { underfunded }) => underfunded === 'native',
  ],
  [
    'TRANSACTION_UNDER_PRICE',
    'The offered fee is too far below the base fee for nodes to accept the transaction',
    (_world, { fee }) => fee?.rejectedByNodes ?? false,
  ],
];

/** Why an accepted transaction can't be sent; undefined if it can. */
export function sendFailure(world: World, row: TransactionRow): PlannedOutcome['fail'] {
  const cause = BEFORE_SENDING.find(([, , isCause]) => isCause(world, row));
  if (cause) return { errorReason: cause[0], errorDetails: cause[1] };
  const { blockchain, accountType } = row.wallet.resource;
  const policyViolation = accountType === 'SCA' ? world.settings.paymasterPolicies[blockchain] : null;
  return policyViolation ? { errorReason: policyViolation } : undefined;
}

/** Why a sent transaction fails in its block; undefined if it succeeds. */
export function executionFailure({ store }: World, { underfunded, resource }: TransactionRow): PlannedOutcome['fail'] {
  if (underfunded === 'native') return { errorReason: 'INSUFFICIENT_NATIVE_TOKEN' satisfies ErrorReason };
  if (underfunded === 'token') {
    return { errorReason: 'FAILED_ON_CHAIN' satisfies ErrorReason, errorDetails: 'execution reverted' };
  }
  const token = store.tokens.get(resource.tokenId ?? '');
  const reverted = token && revertOfTransfer(token, resource);
  return reverted && { errorReason: 'FAILED_ON_CHAIN' satisfies ErrorReason, errorDetails: reverted.message };
}
