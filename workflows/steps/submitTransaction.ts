import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { Flow } from '../kit/flow';
import type { LaneTurn } from '../kit/laneClient';
import { perform } from '../kit/perform';
import { findTransaction } from './findTransaction';
import { gate } from './gate';
import type { TransactionRequest } from './transactionRequest';

/**
 * Sends the transaction exactly once. It is the point of no return: the transaction exists, and only the API can cancel it.
 */
export async function submitTransaction(
  flow: Flow,
  turn: LaneTurn,
  request: TransactionRequest,
): Promise<TransactionFacts> {
  const { effect: named, ...sent } = request.expected;
  flow.commit();
  const transaction = await perform(flow, {
    step: named.step,
    send: (effect) => request.send(effect),
    find: (effect, { range }) => findTransaction(flow, effect, sent, range),
    preflight: flow.policy.transfer.preflight,
    beforeResend: () => gate(flow, turn, request),
    beforeAsking: () => turn.release('perhapsOutstanding'),
  });
  flow.allowCancelAtApi();
  flow.addResources({ transactionId: transaction.id });
  return transaction;
}
