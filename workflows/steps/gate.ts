import type { TransferInput } from '../../src/flows/transfer';
import { compareDecimals, fromBaseUnits, toBaseUnits } from '../../src/domain/money';
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
    const finding = await lookAt(flow, input, wallet.blockchain);
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

/** What speaks against sending it now; a finding with a code is the API's. */
export async function lookAt(flow: Flow, input: TransferInput, blockchain: string): Promise<Finding | undefined> {
  const level = (input.fee?.feeLevel ?? flow.policy.transfer.feeLevel).toLowerCase() as 'low' | 'medium' | 'high';
  try {
    const estimate = await flow.api.estimateTransferFee(
      {
        walletId: input.from.walletId,
        tokenId: input.tokenId,
        destinationAddress: input.to,
        amounts: [input.amount],
      },
      level,
    );
    const most = flow.policy.transfer.maxNetworkFee?.[blockchain as Blockchain];
    if (most === undefined) return undefined;
    const fee = ownFee(input) ?? estimate.networkFee;
    if (fee !== undefined && compareDecimals(fee, most) <= 0) return undefined;
    return {
      name: 'FeeAboveLimit',
      reason: `the network fee may be ${fee ?? 'anything: the API gives no estimate'}; policy ${flow.policy.name} allows ${most}`,
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

const GWEI_DECIMALS = 9;

/** The most that a fee of the input's own can cost, in native tokens; undefined where it names a level. */
function ownFee({ fee }: TransferInput): string | undefined {
  const price = fee?.maxFee ?? fee?.gasPrice;
  if (fee?.gasLimit === undefined || price === undefined) return undefined;
  return fromBaseUnits(toBaseUnits(price, GWEI_DECIMALS) * toBaseUnits(fee.gasLimit, 0), 2 * GWEI_DECIMALS);
}
