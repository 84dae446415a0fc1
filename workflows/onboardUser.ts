import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { OnboardUserInput, OnboardUserResult } from '../src/flows/onboardUser';
import { deadlineOf } from './kit/deadline';
import { withReminders } from './kit/reminders';
import { runFlow } from './kit/runFlow';
import { approveWallets } from './steps/approveWallets';
import { checkChains } from './steps/checkChains';
import { establishUser } from './steps/establishUser';
import { fundWallets } from './steps/fundWallets';
import { monitorTokens } from './steps/monitorTokens';
import { OnboardingReport } from './steps/onboardingReport';

/** Sets up a user whose wallets are live at the end. The user sets a PIN, or logs in by email or at an SSO provider. */
export async function onboardUser(start: FlowStart<OnboardUserInput>): Promise<Outcome<OnboardUserResult>> {
  return runFlow(start, async (flow) => {
    const { input } = start;
    const { wallets, fund, monitoredTokens } = input;
    const deadlineAt = deadlineOf(input);
    const report = new OnboardingReport(flow, wallets);
    return report.run(async () => {
      await flow.step('check', () => checkChains(wallets));
      await withReminders(flow, deadlineAt, async () => {
        const user = await flow.step(input.method === 'pin' ? 'createUser' : 'logIn', () =>
          establishUser(flow, input, deadlineAt),
        );
        flow.addResources({ userId: user.userId });
        report.user = user;
        await flow.step('approve', () => approveWallets(flow, { user, requests: wallets, deadlineAt }, report));
      });
      flow.passPointOfNoReturn();
      await flow.step('live', () => report.awaitWallets());
      if (fund) await flow.step('fund', () => fundWallets(flow, report.walletIds, fund, report.funding));
      if (monitoredTokens) await flow.step('monitor', () => monitorTokens(flow, monitoredTokens));
    });
  });
}
