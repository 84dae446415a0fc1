import { isCancellation } from '@temporalio/workflow';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { OnboardedWallet, UserWalletsInput } from '../../src/flows/userWallets';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { expiredOutcome } from './approvalLimits';
import type { ApprovedWallets } from './approveWallets';
import { awaitLiveWallets, type CreatedWallets } from './awaitLiveWallets';
import type { OnboardedUser } from './establishUser';
import { matchingWallets } from './matchingWallets';

/** Collects what an onboarding has created so far, so that every outcome can report it. */
export class OnboardingReport implements ApprovedWallets {
  user: OnboardedUser | undefined;
  readonly adopted: string[] = [];
  readonly created: CreatedWallets[] = [];
  approvedLate = false;
  wallets: OnboardedWallet[] = [];
  /** Whether the flow has waited for the wallets. A person who gave them up is not asked about them again. */
  private awaited = false;
  readonly funding: OnboardUserResult['funding'] = [];

  constructor(
    private readonly flow: Flow,
    private readonly requests: readonly UserWalletsInput[],
  ) {}

  get walletIds(): string[] {
    return [...this.adopted, ...this.created.flatMap(({ ids }) => ids)];
  }

  /** Waits until the wallets can be used. @throws FlowOutcomeError if a person gives up */
  async awaitWallets(): Promise<void> {
    this.awaited = true;
    this.wallets = await awaitLiveWallets(this.flow, this.walletIds, this.created);
  }

  /** Runs the onboarding. If it does not complete, its outcome reports what exists in the API at that point. */
  async run(body: () => Promise<void>): Promise<OnboardUserResult> {
    const { flow } = this;
    try {
      await body();
    } catch (error) {
      const outcomeError = isCancellation(error) && flow.cancelRequested ? flow.cancelledOutcome() : error;
      if (!(outcomeError instanceof FlowOutcomeError) || !this.user) throw error;
      const { outcome } = this.withRemainder(outcomeError);
      if (!this.awaited) this.wallets = await flow.nonCancellable(() => this.existingWallets());
      throw new FlowOutcomeError({ ...outcome, result: this.result(this.user) });
    }
    return this.result(this.user!);
  }

  /** The outcomes of a cancellation and of the deadline say that nothing was created, but the user exists by now. */
  private withRemainder(error: FlowOutcomeError): FlowOutcomeError {
    const remainder = 'the result names what exists in the API';
    switch (error.outcome.status) {
      case 'cancelled':
        return this.flow.cancelledOutcome(remainder);
      case 'expired':
        return expiredOutcome(remainder);
      default:
        return error;
    }
  }

  /** Empty if a person gives up the wait for them: the outcome of the flow does not depend on it. */
  private async existingWallets(): Promise<OnboardedWallet[]> {
    try {
      return await awaitLiveWallets(this.flow, this.walletIds, []);
    } catch (error) {
      if (error instanceof FlowOutcomeError) return [];
      throw error;
    }
  }

  private result(user: OnboardedUser): OnboardUserResult {
    return {
      userId: user.userId,
      walletIds: this.walletIds,
      wallets: this.requests.flatMap((request) => matchingWallets(this.wallets, request)),
      funding: this.funding,
      adopted: { user: user.adopted, walletIds: this.adopted },
      ...(this.approvedLate && { approvedLate: true }),
    };
  }
}
