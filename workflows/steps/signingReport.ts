import { isCancellation } from '@temporalio/workflow';
import type { SignPayloadResult } from '../../src/flows/signPayload';
import type { TransactionResult } from '../../src/flows/transactionResult';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { expiredOutcome } from './approvalLimits';

/** The part of the result about the signature. */
export type Signed = Omit<SignPayloadResult, 'walletId' | 'kind' | 'deployment'>;

const REMAINDER = 'the wallet is deployed, and nothing was signed';

/** Every outcome of a flow that has deployed its wallet reports the deployment. */
export class SigningReport {
  private deployment: TransactionResult | undefined;

  constructor(
    private readonly flow: Flow,
    private readonly about: Pick<SignPayloadResult, 'walletId' | 'kind'>,
  ) {}

  /**
   * The wallet is deployed. What is left is the signature, and until then the flow can be cancelled.
   * @param deployment undefined if another transaction has deployed it
   */
  addDeployment(deployment: TransactionResult | undefined): void {
    if (!deployment) return;
    this.deployment = deployment;
    this.flow.endPreparation();
  }

  /** Runs work that signs. */
  async run(body: () => Promise<Signed>): Promise<SignPayloadResult> {
    try {
      const signed = await body();
      return { ...this.about, ...signed, ...(this.deployment && { deployment: this.deployment }) };
    } catch (error) {
      throw this.withDeployment(error);
    }
  }

  private withDeployment(error: unknown): unknown {
    const { flow, deployment } = this;
    const ended = isCancellation(error) && flow.cancelRequested ? flow.cancelledOutcome() : error;
    if (!(ended instanceof FlowOutcomeError)) return error;
    if (deployment) return this.with(deployment, withRemainder(flow, ended));
    // The transaction of the deployment did not complete.
    return 'result' in ended.outcome ? this.with(ended.outcome.result as TransactionResult, ended) : error;
  }

  private with(deployment: TransactionResult, { outcome }: FlowOutcomeError): FlowOutcomeError {
    return new FlowOutcomeError({ ...outcome, result: { ...this.about, deployment } });
  }
}

/** The outcomes of a cancellation and of the deadline say that nothing was created, but the deployment exists by now. */
function withRemainder(flow: Flow, error: FlowOutcomeError): FlowOutcomeError {
  switch (error.outcome.status) {
    case 'cancelled':
      return flow.cancelledOutcome(REMAINDER);
    case 'expired':
      return expiredOutcome(REMAINDER);
    default:
      return error;
  }
}
