import type { TransactionResult } from '../../src/flows/transactionResult';
import type { Flow } from '../kit/flow';
import { LaneClient } from '../kit/laneClient';
import { SessionClient } from '../kit/sessionClient';
import { developerTransaction } from './developerTransaction';
import { followTransaction } from './followTransaction';
import { gate } from './gate';
import { reportTransaction } from './reportTransaction';
import { submitTransaction } from './submitTransaction';
import { submitUserTransaction } from './submitUserTransaction';
import type { TransactionRequest } from './transactionRequest';
import { userTransaction } from './userTransaction';

/**
 * Sends a transaction in the turn of its wallet and follows it to its final state. For a user's wallet, the user approves
 * first.
 * @param deadlineAt of the approval, in epoch milliseconds
 */
export async function sendTransaction(
  flow: Flow,
  request: TransactionRequest,
  deadlineAt: number | undefined,
): Promise<TransactionResult> {
  const { wallet, expected } = request;
  const { userId } = wallet;
  const lanes = new LaneClient(flow);
  if (userId === undefined) {
    return lanes.withTurn(wallet, 'open', async (turn) => {
      await turn.acquire();
      await flow.step('gate', () => gate(flow, turn, request));
      const { id } = await flow.step('submit', () => submitTransaction(flow, turn, request));
      const followed = developerTransaction(flow, id, expected);
      return reportTransaction(flow, await flow.step('follow', () => followTransaction(flow, turn, followed)));
    });
  }
  const session = new SessionClient(flow, { method: 'pin', userId });
  // The deadline of the approval holds for the wait for the turn too, so the gate waits for it.
  return lanes.withTurn(wallet, 'approval', async (turn) => {
    const submit = () => submitUserTransaction(flow, turn, session, request, deadlineAt);
    const { transactionId, approval } = await flow.step('submit', submit);
    const followed = userTransaction(flow, session, transactionId, expected);
    const final = await flow.step('follow', () => followTransaction(flow, turn, followed));
    return reportTransaction(flow, final, approval);
  });
}
