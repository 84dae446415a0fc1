import type { WalletFacts } from '../../activities';
import { option } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { PayloadKind } from '../../src/domain/signing';
import type { TransactionResult } from '../../src/flows/transactionResult';
import { apiFailure, failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { LaneClient } from '../kit/laneClient';
import { ApprovalLimits } from './approvalLimits';
import { callRequest } from './callRequest';
import { type Approver, firstStateOf, sendInTurn } from './sendTransaction';
import type { TransactionRequest } from './transactionRequest';

/** Step of the effect: part of its idempotency key and its `refId`. */
const DEPLOY = 'deploy';

export const NOT_DEPLOYED = {
  name: 'ScaNotDeployed',
  code: CODES.scaNotDeployed,
  reason: 'the smart-contract wallet is not deployed yet, so its signature could not be verified',
  remedy: 'send a first transaction from the wallet, which deploys it; then sign with a new ref',
};

const DEPLOY_OPTION = option(
  DEPLOY,
  'sends a first transaction from the wallet, which costs a network fee, and signs once it is deployed',
);
const RETRY = option('retry', 'signs without a deployment; another transaction must have deployed the wallet');
const GIVE_UP = option('giveUp', 'ends the flow as failed');

/** Contracts sign what others verify (ERC-1271). They do not sign transactions, so none is worth the fee of a deployment. */
export function mayDeployFor(kind: PayloadKind): boolean {
  return kind === 'message' || kind === 'typedData';
}

/** Whether the API has refused to sign because the wallet is not deployed. */
export function isUndeployedRefusal(error: unknown): boolean {
  const code = error instanceof FlowOutcomeError ? error.refusalCode : apiFailure(error)?.code;
  return code === CODES.scaNotDeployed;
}

/**
 * Asks what to do about a wallet that is not deployed, unless the policy says so.
 * @param mayDeploy a flow deploys its wallet only once
 * @throws FlowOutcomeError if the decision gives up
 */
export async function askAboutDeployment(
  flow: Flow,
  approver: Approver | undefined,
  mayDeploy: boolean,
): Promise<'deploy' | 'retry'> {
  if (mayDeploy && flow.policy.signing.undeployed === 'deploy') return 'deploy';
  const options = mayDeploy ? [DEPLOY_OPTION, RETRY, GIVE_UP] : [RETRY, GIVE_UP];
  const choice = await withinDeadline(flow, approver, () => flow.awaitDecision({ ...NOT_DEPLOYED, options }));
  if (choice === 'giveUp') throw failedOutcome(NOT_DEPLOYED);
  return choice;
}

/**
 * Deploys a smart-contract wallet by its first transaction. It is a transaction like every other: it has its turn, its gate,
 * its idempotency key and its lookup, and the user of a user's wallet approves it.
 * @returns undefined if another transaction had deployed the wallet by the time of the turn
 * @throws FlowOutcomeError if it did not complete
 */
export async function deployWallet(
  flow: Flow,
  wallet: WalletFacts,
  approver: Approver | undefined,
): Promise<TransactionResult | undefined> {
  return new LaneClient(flow).withTurn(wallet, firstStateOf(approver), async (turn) => {
    const deployment = await flow.step('lane', () =>
      withinDeadline(flow, approver, async () => {
        await turn.acquire();
        return flow.api.readDeployment(wallet.id);
      }),
    );
    if (deployment === 'inBlock') return undefined;
    return sendInTurn(flow, turn, deploymentRequest(flow, wallet), approver);
  });
}

/**
 * The cheapest transaction that has no effect besides the deployment: the wallet calls itself, without data and without an
 * amount (docs/api-behavior.md#signing).
 */
function deploymentRequest(flow: Flow, wallet: WalletFacts): TransactionRequest {
  const call = { from: { walletId: wallet.id }, contractAddress: wallet.address, callData: '0x' };
  return callRequest(flow, call, wallet, DEPLOY);
}

/** Runs work that the deadline of the approval ends. @throws FlowOutcomeError `expired` */
function withinDeadline<T>(flow: Flow, approver: Approver | undefined, body: () => Promise<T>): Promise<T> {
  if (!approver) return body();
  const { session, deadlineAt } = approver;
  return new ApprovalLimits(flow, session, { ...(deadlineAt !== undefined && { deadlineAt }) }).within(body);
}
