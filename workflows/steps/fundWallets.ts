import type { FundTestnetInput } from '../../src/flows/fundTestnet';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { Flow } from '../kit/flow';
import { type AskedDrip, awaitDrip, requestDrip } from './drip';

/** Asks the faucet for each of the wallets, then waits until all of it is there. @param funding filled as it arrives */
export async function fundWallets(
  flow: Flow,
  walletIds: readonly string[],
  tokens: Omit<FundTestnetInput, 'walletId'>,
  funding: OnboardUserResult['funding'],
): Promise<void> {
  const asked: AskedDrip[] = [];
  for (const walletId of walletIds) asked.push(await requestDrip(flow, { walletId, ...tokens }));
  for (const drip of asked) {
    const arrived = await awaitDrip(flow, drip);
    funding.push(...arrived.map(({ id, txHash }) => ({ walletId: drip.walletId, transactionId: id, txHash })));
  }
}
