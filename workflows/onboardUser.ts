import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { OnboardUserInput, OnboardUserResult } from '../src/flows/onboardUser';
import { deadlineOf } from './kit/deadline';
import { reminding } from './kit/reminders';
import { runFlow } from './kit/runFlow';
import { approveWallets } from './steps/approveWallets';
import { checkChains } from './steps/checkChains';
import { fundWallets } from './steps/fundWallets';
import { liveWallets } from './steps/liveWallets';
import { OnboardingReport } from './steps/onboardingReport';
import { userOf } from './steps/userOf';

/** Brings a user to live wallets, by PIN, by email, or by a login at an SSO provider. */
export async function onboardUser(start: FlowStart<OnboardUserInput>): Promise<Outcome<OnboardUserResult>> {
  const { input } = start;
  const { wallets, fund, monitoredTokens } = input;
  return runFlow(start, async (flow) => {
    const until = deadlineOf(input);
    const report = new OnboardingReport(flow, wallets);
    return report.ofAnyEnd(async () => {
      await flow.step('check', () => checkChains(wallets));
      await reminding(flow, until, async () => {
        const user = await flow.step(input.method === 'pin' ? 'createUser' : 'logIn', () => userOf(flow, input, until));
        flow.note({ userId: user.userId });
        report.user = user;
        await flow.step('approve', () => approveWallets(flow, { user, requests: wallets, until }, report));
      });
      flow.pointOfNoReturn();
      report.wallets = await flow.step('live', () => liveWallets(flow, report.walletIds));
      if (fund) await flow.step('fund', () => fundWallets(flow, report.walletIds, fund, report.funding));
      if (monitoredTokens) await flow.step('monitor', () => flow.api.monitorTokens(monitoredTokens));
    });
  });
}
