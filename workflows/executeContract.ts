import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { ExecuteContractInput, ExecuteContractResult } from '../src/flows/executeContract';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { callRequest } from './steps/callRequest';
import { sendTransaction } from './steps/sendTransaction';
import { validateCall } from './steps/validateCall';

/**
 * Calls a contract from a wallet and follows the transaction to its final state. The flow shows who receives what by the
 * call before anything is sent. For a user's wallet, the user approves first.
 */
export async function executeContract(start: FlowStart<ExecuteContractInput>): Promise<Outcome<ExecuteContractResult>> {
  return runFlow(start, async (flow) => {
    const { input } = start;
    const deadlineAt = deadlineOf(input);
    const wallet = await flow.step('validate', () => validateCall(flow, input));
    return sendTransaction(flow, callRequest(flow, input, wallet), deadlineAt);
  });
}
