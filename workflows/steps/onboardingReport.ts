import { isCancellation } from '@temporalio/workflow';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { OnboardedWallet, UserWalletsInput } from '../../src/flows/userWallets';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { type ApprovedWallets, matchingWallets } from './approveWallets';
import { awaitLiveWallets, type CreatedWallets } from './awaitLiveWallets';
import type { OnboardedUser } from './establishUser';

/** Collects what an onboarding has created so far, so that every outcome can report it. */
export class OnboardingReport implements ApprovedWallets {
  user: OnboardedUser | undefined;
  readonly adopted: string[] = [];
  readonly created: CreatedWallets[] = [];
  approvedLate = false;
  wallets: OnboardedWallet[] = [];
  readonly funding: OnboardUserResult['funding'] = [];

  constructor(
    private readonly flow: Flow,
    private readonly requests: readonly UserWalletsInput[],
  ) {}

  get walletIds(): string[] {
    return [...this.adopted, ...this.created.flatMap(({ ids }) => ids)];
  }

  /** Runs the onboarding. If it does not complete, its outcome reports what exists in the API at that point. */
  async run(body: () => Promise<void>): Promise<OnboardUserResult> {
    const { flow } = this;
    try {
      await body();
    } catch (error) {
      const outcomeError = isCancellation(error) && flow.cancelRequested ? flow.cancelledOutcome() : error;
      if (!(outcomeError instanceof FlowOutcomeError) || !this.user) throw error;
      const { outcome } =
        outcomeError.outcome.status === 'cancelled'
          ? flow.cancelledOutcome('the result names what exists in the API')
          : outcomeError;
      if (this.wallets.length === 0)
        this.wallets = await flow.nonCancellable(() => awaitLiveWallets(flow, this.walletIds, []));
      throw new FlowOutcomeError({ ...outcome, result: this.result(this.user) });
    }
    return this.result(this.user!);
  }

  private result(user: OnboardedUser): OnboardUserResult {
    return {
      userId: user.userId,
      wallets: this.requests.flatMap((request) => matchingWallets(this.wallets, request)),
      funding: this.funding,
      adopted: { user: user.adopted, walletIds: this.adopted },
      ...(this.approvedLate && { approvedLate: true }),
    };
  }
}
