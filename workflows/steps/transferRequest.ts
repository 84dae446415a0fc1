import type { TransferMovement } from '../../src/domain/sentTransaction';
import type { TransferInput } from '../../src/flows/transfer';
import type { Flow } from '../kit/flow';
import { SUBMIT, type TransactionRequest } from './transactionRequest';
import type { CheckedTransfer } from './validateTransfer';

/** The only place where the input of a transfer becomes a request, so that estimate, request and lookup cannot differ. */
export function transferRequest(
  flow: Flow,
  { to, amount, nfts, fee = { feeLevel: flow.policy.transfer.feeLevel } }: TransferInput,
  { token, wallet }: CheckedTransfer,
): TransactionRequest {
  const movement: TransferMovement = {
    walletId: wallet.id,
    tokenId: token.id,
    destinationAddress: to,
    amounts: nfts ? nfts.map((nft) => nft.amount ?? '1') : [amount!],
    ...(nfts && { nftTokenIds: nfts.map(({ id }) => id) }),
  };
  const body = { ...movement, ...fee };
  return {
    wallet,
    fee,
    expected: { ...movement, blockchain: wallet.blockchain, effect: flow.effectName(SUBMIT) },
    estimate: (levels) => flow.api.estimateTransferFee(movement, levels),
    send: (effect) => flow.api.createTransfer(effect, body),
    challenge: { call: 'createUserTransfer', body },
  };
}
