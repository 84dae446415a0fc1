import type { ResponseOf } from '../src/api';
import { parseRefId } from '../src/crypto/effectKeys';
import { readNftTokenIds } from '../src/domain/nfts';
import { screeningFacts } from '../src/domain/screeningFacts';
import type { ShownContent } from '../src/domain/sentTransaction';
import type { TransactionFacts } from '../src/domain/transactionFacts';
import type { ActivityDeps } from './deps';

export type ApiTransaction = ResponseOf<'getTransaction'>['data']['transaction'];

/** What a flow needs to know of a transaction of a read or a list. */
export function transactionFacts(
  transaction: ApiTransaction,
  { entity, keyRing }: Pick<ActivityDeps, 'entity' | 'keyRing'>,
): TransactionFacts {
  const { id, state, txHash, networkFee, errorReason, errorDetails } = transaction;
  const { refId, walletId, destinationAddress, tokenId, amounts, nfts } = transaction;
  const effect = refId === undefined ? undefined : parseRefId(refId, entity, keyRing);
  const nftTokenIds = readNftTokenIds(nfts);
  const content = {
    effect,
    walletId,
    destinationAddress,
    tokenId,
    amounts,
    ...(nftTokenIds && { nftTokenIds }),
    ...shownCall(transaction),
  };
  const screening = state === 'DENIED' ? screeningFacts(transaction.transactionScreeningEvaluation) : undefined;
  return {
    id,
    state,
    ...content,
    txHash: txHash || undefined,
    // Empty until the transaction is in a block.
    networkFee: networkFee || undefined,
    errorReason: errorReason || undefined,
    errorDetails: errorDetails || undefined,
    ...(screening && { screening }),
  };
}

/** What a contract call shows of itself. The API shows empty values for other transactions. */
function shownCall({ contractAddress, abiFunctionSignature, abiParameters }: ApiTransaction): ShownContent {
  return {
    ...(contractAddress && { contractAddress }),
    ...(abiFunctionSignature && { abiFunctionSignature }),
    ...(abiParameters?.length && { abiParameters }),
  };
}
