import type { TransactionResult } from '../../src/flows/transactionResult';
import type { Flow } from '../kit/flow';
import { LaneClient, type LaneTurn } from '../kit/laneClient';
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
  const { wallet } = request;
  const { userId } = wallet;
  const lanes = new LaneClient(flow);
  const session = userId === undefined ? undefined : new SessionClient(flow, { method: 'pin', userId });
  const approver = session && { session, deadlineAt };
  return lanes.withTurn(wallet, firstStateOf(approver), (turn) => sendInTurn(flow, turn, request, approver));
}

/** The user of a wallet, whose approval sends. */
export interface Approver {
  session: SessionClient;
  /** Epoch milliseconds. */
  deadlineAt: number | undefined;
}

/** What a flow does first in its turn. */
export function firstStateOf(approver: Approver | undefined): 'open' | 'approval' {
  return approver ? 'approval' : 'open';
}

/** The same in a turn that the flow may already have. */
export async function sendInTurn(
  flow: Flow,
  turn: LaneTurn,
  request: TransactionRequest,
  approver: Approver | undefined,
): Promise<TransactionResult> {
  const { expected } = request;
  const { step } = expected.effect;
  if (!approver) {
    await turn.acquire();
    await flow.step('gate', () => gate(flow, turn, request));
    const { id } = await flow.step(step, () => submitTransaction(flow, turn, request));
    const followed = developerTransaction(flow, id, expected);
    return reportTransaction(flow, await flow.step('follow', () => followTransaction(flow, turn, followed)));
  }
  const { session, deadlineAt } = approver;
  // The deadline of the approval holds for the wait for the turn too, so the gate waits for it.
  const submit = () => submitUserTransaction(flow, turn, session, request, deadlineAt);
  const { transactionId, approval } = await flow.step(step, submit);
  const followed = userTransaction(flow, session, transactionId, expected);
  const final = await flow.step('follow', () => followTransaction(flow, turn, followed));
  return reportTransaction(flow, final, approval);
}
