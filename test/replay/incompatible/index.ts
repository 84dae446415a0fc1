import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { TransactionFacts } from '../../../src/domain/transactionFacts';
import type { TransferInput } from '../../../src/flows/transfer';
import { LaneClient } from '../../../workflows/kit/laneClient';
import { runFlow } from '../../../workflows/kit/runFlow';
import { developerTransaction } from '../../../workflows/steps/developerTransaction';
import { followTransaction } from '../../../workflows/steps/followTransaction';
import { submitTransaction } from '../../../workflows/steps/submitTransaction';
import { transferRequest } from '../../../workflows/steps/transferRequest';
import { validateTransfer } from '../../../workflows/steps/validateTransfer';

/** `transfer` without its gate and without `patched`. Such a change would break running flows. */
export async function transfer(start: FlowStart<TransferInput>): Promise<Outcome<TransactionFacts>> {
  const { input } = start;
  return runFlow(start, async (flow) => {
    const checked = await flow.step('validate', () => validateTransfer(flow, input));
    const request = transferRequest(flow, input, checked);
    return new LaneClient(flow).withTurn(checked.wallet, 'open', async (turn) => {
      await turn.acquire();
      const sent = await flow.step('submit', () => submitTransaction(flow, turn, request));
      return flow.step('follow', () =>
        followTransaction(flow, turn, developerTransaction(flow, sent.id, request.expected)),
      );
    });
  });
}
