import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { TransferInput, TransferResult } from '../src/flows/transfer';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { sendTransaction } from './steps/sendTransaction';
import { transferRequest } from './steps/transferRequest';
import { validateTransfer } from './steps/validateTransfer';

/**
 * Sends tokens from a wallet and follows the transaction to its final state. For a user's wallet, the user approves
 * first.
 */
export async function transfer(start: FlowStart<TransferInput>): Promise<Outcome<TransferResult>> {
  return runFlow(start, async (flow) => {
    const { input } = start;
    const deadlineAt = deadlineOf(input);
    const checked = await flow.step('validate', () => validateTransfer(flow, input));
    return sendTransaction(flow, transferRequest(flow, input, checked), deadlineAt);
  });
}
