import { type Attention, option } from '../../src/domain/attention';
import type { Blockchain } from '../../src/domain/chains';
import { compareDecimals, fromBaseUnits, toBaseUnits } from '../../src/domain/money';
import type { TransferInput } from '../../src/flows/transfer';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { transferRequest } from './transferRequest';
import type { CheckedTransfer } from './validateTransfer';

const RETRY = option('retry', 'estimates again');
const ACCEPT = option('acceptFee', 'sends it at this fee');
const GIVE_UP = option('giveUp', 'ends the flow as failed; nothing was sent');

/**
 * Estimates the transfer once more, immediately before value moves. If funds or an allowance are missing, or the fee
 * exceeds the policy's maximum, the flow waits for a decision. After `retry` the gate estimates again
 * (docs/architecture.md#the-gate-before-value-moves).
 * @throws FlowOutcomeError if the decision gives up
 */
export async function gate(flow: Flow, input: TransferInput, checked: CheckedTransfer): Promise<void> {
  for (;;) {
    const finding = await evaluateTransfer(flow, input, checked);
    if (!finding) return;
    const choice = await flow.awaitDecision(finding);
    if (choice === 'acceptFee') return;
    if (choice === 'giveUp') throw failedOutcome(finding);
  }
}

/** Estimates the transfer. @returns why it should not be sent now, with a code if the API refused the estimate */
export async function evaluateTransfer(
  flow: Flow,
  input: TransferInput,
  checked: CheckedTransfer,
): Promise<Attention<'retry' | 'acceptFee' | 'giveUp'> | undefined> {
  const level = (input.fee?.feeLevel ?? flow.policy.transfer.feeLevel).toLowerCase() as 'low' | 'medium' | 'high';
  try {
    const estimate = await flow.api.estimateTransferFee(transferRequest(flow, input, checked).movement, level);
    const limit = flow.policy.transfer.maxNetworkFee?.[checked.wallet.blockchain as Blockchain];
    if (limit === undefined) return undefined;
    const fee = explicitFee(input) ?? estimate.networkFee;
    if (fee !== undefined && compareDecimals(fee, limit) <= 0) return undefined;
    const problem =
      fee === undefined ? 'the API returns no estimate of the network fee' : `the network fee may be ${fee}`;
    return {
      name: 'FeeAboveLimit',
      reason: `${problem}; policy ${flow.policy.name} allows ${limit}`,
      remedy: 'wait for lower fees',
      options: [RETRY, ACCEPT, GIVE_UP],
    };
  } catch (error) {
    const failure = apiFailure(error);
    if (failure?.kind !== 'attention') throw error;
    return { ...problemOf(failure), options: [RETRY, GIVE_UP] };
  }
}

const GWEI_DECIMALS = 9;

/** The maximum cost in native tokens of a fee that the input sets itself; undefined if the input names a fee level. */
function explicitFee({ fee }: TransferInput): string | undefined {
  const price = fee?.maxFee ?? fee?.gasPrice;
  if (fee?.gasLimit === undefined || price === undefined) return undefined;
  return fromBaseUnits(toBaseUnits(price, GWEI_DECIMALS) * toBaseUnits(fee.gasLimit, 0), 2 * GWEI_DECIMALS);
}
