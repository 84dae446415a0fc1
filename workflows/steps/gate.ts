import type { TransferInput } from '../../src/flows/transfer';
import { compareDecimals } from '../../src/domain/money';
import type { Blockchain } from '../../src/domain/chains';
import type { DecisionOption } from '../../src/domain/attention';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';
import type { CheckedTransfer } from './validateTransfer';

const RETRY: DecisionOption = { choice: 'retry', effect: 'estimates again' };
const ACCEPT: DecisionOption = { choice: 'acceptFee', effect: 'sends it at this fee' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed; nothing was sent' };

/**
 * The last look before value moves (DESIGN rule 8): funds and fee are estimated anew; what a person can mend (funds,
 * allowance, a fee above the policy's) waits for one, and is looked at again after the decision.
 */
export async function gate(flow: Flow, input: TransferInput, { wallet }: CheckedTransfer): Promise<void> {
  for (;;) {
    const finding = await look(flow, input, wallet.blockchain);
    if (!finding) return;
    const { options, ...shown } = finding;
    const choice = await flow.attention({ ...shown, options });
    if (choice === ACCEPT.choice) return;
    const { code, reason, remedy } = shown;
    if (choice === GIVE_UP.choice) throw new Refusal({ status: 'failed', code, reason, remedy });
  }
}

interface Finding {
  name: string;
  code?: number;
  reason: string;
  remedy: string;
  options: DecisionOption[];
}

async function look(flow: Flow, input: TransferInput, blockchain: string): Promise<Finding | undefined> {
  const level = flow.policy.transfer.feeLevel.toLowerCase() as 'low' | 'medium' | 'high';
  try {
    const { networkFee } = await flow.api.estimateTransferFee(
      {
        walletId: input.from.walletId,
        tokenId: input.tokenId,
        destinationAddress: input.to,
        amounts: [input.amount],
      },
      level,
    );
    const most = flow.policy.transfer.maxNetworkFee?.[blockchain as Blockchain];
    if (most === undefined || networkFee === undefined || compareDecimals(networkFee, most) <= 0) return undefined;
    return {
      name: 'FeeAboveLimit',
      reason: `the network fee may be ${networkFee}, above the ${most} of policy ${flow.policy.name}`,
      remedy: 'wait for lower fees, or accept this one',
      options: [RETRY, ACCEPT, GIVE_UP],
    };
  } catch (error) {
    const failure = apiFailure(error);
    if (failure?.kind !== 'attention') throw error;
    return {
      name: failure.name,
      code: failure.code,
      reason: failure.name,
      remedy: failure.remedy,
      options: [RETRY, GIVE_UP],
    };
  }
}
