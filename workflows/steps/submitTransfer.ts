import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { TransferInput } from '../../src/flows/transfer';
import type { Flow } from '../kit/flow';
import type { LaneTurn } from '../kit/laneClient';
import { perform } from '../kit/perform';
import { findTransfer } from './findTransfer';
import { gate } from './gate';
import { SUBMIT, transferRequest } from './transferRequest';
import type { CheckedTransfer } from './validateTransfer';

/** Sends the transfer exactly once. It is the point of no return: the transaction exists, and only the API can cancel it. */
export async function submitTransfer(
  flow: Flow,
  turn: LaneTurn,
  input: TransferInput,
  checked: CheckedTransfer,
): Promise<TransactionFacts> {
  const {
    body,
    expected: { effect: _, ...sent },
  } = transferRequest(flow, input, checked);

  flow.commit();
  const transaction = await perform(flow, {
    step: SUBMIT,
    send: (effect) => flow.api.createTransfer(effect, body),
    find: (effect, { range }) => findTransfer(flow, effect, sent, range),
    preflight: flow.policy.transfer.preflight,
    beforeResend: () => gate(flow, turn, input, checked),
    beforeAsking: () => turn.release(),
  });
  flow.allowCancelAtApi();
  flow.addResources({ transactionId: transaction.id });
  return transaction;
}
