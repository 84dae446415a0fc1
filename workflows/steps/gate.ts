import { type Attention, option } from '../../src/domain/attention';
import { findChain } from '../../src/domain/chains';
import { CODES } from '../../src/domain/codes';
import { feeProblem, greatestFee, levelsOf } from '../../src/domain/networkFee';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import type { LaneTurn } from '../kit/laneClient';
import type { TransactionRequest } from './transactionRequest';

const RETRY = option('retry', 'estimates again');
const ACCEPT = option('acceptFee', 'sends it at this fee');
const GIVE_UP = option('giveUp', 'ends the flow as failed; it sends nothing more');
const REVERTED_REMEDY =
  'check contract address, function and parameters, and whether it was already carried out; retry once what it depends on is in a block';

/**
 * Estimates the transaction once more, immediately before value moves. If funds or an allowance are missing, the contract
 * reverts, or the fee exceeds the policy's maximum, the flow waits for a decision, and other flows of the wallet do not
 * wait for it. After `retry` the gate estimates again (docs/architecture.md#the-gate-before-value-moves).
 * @throws FlowOutcomeError if the decision gives up
 */
export async function gate(flow: Flow, turn: LaneTurn, request: TransactionRequest): Promise<void> {
  for (;;) {
    await turn.acquire();
    const finding = await evaluateTransaction(flow, request);
    if (!finding) return;
    await turn.release();
    const choice = await flow.awaitDecision(finding);
    if (choice === 'giveUp') throw failedOutcome(finding);
    if (choice === 'acceptFee') return turn.acquire();
  }
}

/** Estimates the transaction. @returns why it should not be sent now, with a code if the API refused the estimate */
export async function evaluateTransaction(
  flow: Flow,
  request: TransactionRequest,
): Promise<Attention<'retry' | 'acceptFee' | 'giveUp'> | undefined> {
  const { wallet, fee } = request;
  try {
    const quotes = await request.estimate(levelsOf(fee));
    const payer = { family: findChain(wallet.blockchain)?.family, accountType: wallet.accountType };
    const greatest = greatestFee(fee, quotes, payer, flow.policy.transfer.feeHeadroomPercent);
    const reason = feeProblem(flow.policy, wallet.blockchain, greatest);
    if (reason === undefined) return undefined;
    return { name: 'FeeAboveLimit', reason, remedy: 'wait for lower fees', options: [RETRY, ACCEPT, GIVE_UP] };
  } catch (error) {
    const failure = apiFailure(error);
    // Not final: an approval that it needs may not be in a block yet, and a transaction that an earlier run of the flow has
    // sent can make the same call revert.
    if (failure?.code === CODES.estimationReverted)
      return { ...problemOf({ ...failure, remedy: REVERTED_REMEDY }), options: [RETRY, GIVE_UP] };
    if (failure?.kind !== 'attention') throw error;
    return { ...problemOf(failure), options: [RETRY, GIVE_UP] };
  }
}
