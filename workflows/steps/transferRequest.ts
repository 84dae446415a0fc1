import type { TransferBody } from '../../activities';
import type { FeeChoice } from '../../src/domain/networkFee';
import type { ExpectedTransfer, TransferMovement } from '../../src/domain/sentTransfer';
import type { TransferInput } from '../../src/flows/transfer';
import type { Flow } from '../kit/flow';
import type { CheckedTransfer } from './validateTransfer';

/** Step of the effect: part of its idempotency key and its `refId`. */
export const SUBMIT = 'submit';

/** A transfer as the flow asks the API for it. */
export interface TransferRequest {
  /** The gate estimates this, and a lookup compares it with what it finds. */
  movement: TransferMovement;
  fee: FeeChoice;
  /** What the transaction that the flow follows must show. */
  expected: ExpectedTransfer;
  /** The movement and its fee: the body of the request, without `idempotencyKey` and `refId`. */
  body: TransferBody;
}

/** The only place where an input becomes a request, so that estimate, request and lookup cannot differ. */
export function transferRequest(
  flow: Flow,
  { to, amount, nfts, fee }: TransferInput,
  { token, wallet }: CheckedTransfer,
): TransferRequest {
  const movement: TransferMovement = {
    walletId: wallet.id,
    tokenId: token.id,
    destinationAddress: to,
    amounts: nfts ? nfts.map((nft) => nft.amount ?? '1') : [amount!],
    ...(nfts && { nftTokenIds: nfts.map(({ id }) => id) }),
  };
  const choice = fee ?? { feeLevel: flow.policy.transfer.feeLevel };
  return {
    movement,
    fee: choice,
    body: { ...movement, ...choice },
    expected: { ...movement, blockchain: wallet.blockchain, effect: flow.effectName(SUBMIT) },
  };
}
