import { isCancellation } from '@temporalio/workflow';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { OnboardedWallet, UserWalletsInput } from '../../src/flows/userWallets';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';
import { type ApprovedWallets, matching } from './approveWallets';
import { liveWallets } from './liveWallets';
import type { OnboardedUser } from './userOf';

/** What an onboarding has brought about so far, which is told whatever its end. */
export class OnboardingReport implements ApprovedWallets {
  user: OnboardedUser | undefined;
  readonly adopted: string[] = [];
  readonly made: string[] = [];
  late = false;
  wallets: OnboardedWallet[] = [];
  readonly funding: OnboardUserResult['funding'] = [];

  constructor(
    private readonly flow: Flow,
    private readonly requests: readonly UserWalletsInput[],
  ) {}

  get walletIds(): string[] {
    return [...this.adopted, ...this.made];
  }

  /** Runs the onboarding; an end that is no completion tells too what is at the API by then. */
  async ofAnyEnd(body: () => Promise<void>): Promise<OnboardUserResult> {
    const { flow } = this;
    try {
      await body();
    } catch (error) {
      const refusal = isCancellation(error) && flow.cancelRequested ? flow.cancelled() : error;
      if (!(refusal instanceof Refusal) || !this.user) throw error;
      const ended =
        refusal.outcome.status === 'cancelled' ? flow.cancelled('the API has what the result names') : refusal;
      if (this.wallets.length === 0) this.wallets = await flow.unstoppable(() => liveWallets(flow, this.walletIds));
      throw new Refusal({ ...ended.outcome, result: this.result(this.user) });
    }
    return this.result(this.user!);
  }

  private result(user: OnboardedUser): OnboardUserResult {
    return {
      userId: user.userId,
      wallets: this.requests.flatMap((request) => matching(this.wallets, request)),
      funding: this.funding,
      adopted: { user: user.adopted, walletIds: this.adopted },
      ...(this.late && { approvedLate: true }),
    };
  }
}
