import { type Attention, option } from '../../src/domain/attention';
import { findChain } from '../../src/domain/chains';
import { CODES } from '../../src/domain/codes';
import { compareDecimals } from '../../src/domain/money';
import { feeProblem, greatestFee, levelsOf } from '../../src/domain/networkFee';
import { apiFailure, failedOutcome, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import type { LaneTurn } from '../kit/laneClient';
import type { TransactionRequest } from './transactionRequest';

const RETRY = option('retry', 'estimates again');
const ACCEPT = option('acceptFee', 'sends it if the fee is not higher by then; else asks again');
const LOWER = 'wait for lower fees';
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
  let accepted: AcceptedFee | undefined;
  for (;;) {
    await turn.acquire();
    const finding: Finding | undefined = await evaluateTransaction(flow, request, accepted);
    if (!finding) return;
    await turn.release('nothing');
    const choice = await flow.awaitDecision(finding.question);
    if (choice === 'giveUp') throw failedOutcome(finding.question);
    // The next turn may come hours later, when the fee has risen.
    if (choice === 'acceptFee') accepted = { fee: finding.fee };
  }
}

/** What a person has accepted: the maximum from then on. */
interface AcceptedFee {
  /** In native tokens. Absent if it was not known: any fee is accepted. */
  fee: string | undefined;
}

/** Why a transaction should not be sent now. */
interface Finding {
  /** With a code if the API refused the estimate. */
  question: Attention<'retry' | 'acceptFee' | 'giveUp'>;
  /** The greatest network fee, if it is the reason and known. */
  fee?: string | undefined;
}

/** Estimates the transaction. @returns why it should not be sent now */
export async function evaluateTransaction(
  flow: Flow,
  request: TransactionRequest,
  accepted?: AcceptedFee,
): Promise<Finding | undefined> {
  const { wallet, fee } = request;
  try {
    const quotes = await request.estimate(levelsOf(fee));
    const payer = { family: findChain(wallet.blockchain)?.family, accountType: wallet.accountType };
    const greatest = greatestFee(fee, quotes, payer, flow.policy.transfer.feeHeadroomPercent);
    const reason = feeProblem(flow.policy, wallet.blockchain, greatest);
    if (reason === undefined || isAccepted(greatest, accepted)) return undefined;
    return {
      question: { name: 'FeeAboveLimit', reason, remedy: LOWER, options: [RETRY, ACCEPT, GIVE_UP] },
      fee: greatest,
    };
  } catch (error) {
    const failure = apiFailure(error);
    // Not final: an approval that it needs may not be in a block yet, and a transaction that an earlier run of the flow has
    // sent can make the same call revert.
    if (failure?.code === CODES.estimationReverted)
      return { question: { ...problemOf({ ...failure, remedy: REVERTED_REMEDY }), options: [RETRY, GIVE_UP] } };
    if (failure?.kind !== 'attention') throw error;
    return { question: { ...problemOf(failure), options: [RETRY, GIVE_UP] } };
  }
}

function isAccepted(fee: string | undefined, accepted: AcceptedFee | undefined): boolean {
  if (!accepted || accepted.fee === undefined) return accepted !== undefined;
  return fee !== undefined && compareDecimals(fee, accepted.fee) <= 0;
}
