import type { TransferBody, TransferMovement } from '../../activities';
import type { TransferInput } from '../../src/flows/transfer';
import type { Flow } from '../kit/flow';
import type { CheckedTransfer } from './validateTransfer';

/** A transfer as the flow asks the API for it. */
export interface TransferRequest {
  /** The gate estimates this, and a lookup compares it with what it finds. */
  movement: TransferMovement;
  /** The movement and its fee: the body of the request, without `idempotencyKey` and `refId`. */
  body: TransferBody;
}

/** The only place where an input becomes a request, so that estimate, request and lookup cannot differ. */
export function transferRequest(
  flow: Flow,
  { from, to, amount, fee }: TransferInput,
  { token }: CheckedTransfer,
): TransferRequest {
  const movement = { walletId: from.walletId, tokenId: token.id, destinationAddress: to, amounts: [amount] };
  return { movement, body: { ...movement, ...(fee ?? { feeLevel: flow.policy.transfer.feeLevel }) } };
}
