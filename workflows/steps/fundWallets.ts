import type { FundTestnetInput } from '../../src/flows/fundTestnet';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { Flow } from '../kit/flow';
import { awaitDrip, requestDrip, type RequestedDrip } from './drip';

/**
 * Requests tokens for each wallet, then waits for all of them.
 * @param funding receives the transactions as they arrive
 */
export async function fundWallets(
  flow: Flow,
  walletIds: readonly string[],
  tokens: Omit<FundTestnetInput, 'walletId'>,
  funding: OnboardUserResult['funding'],
): Promise<void> {
  const drips: RequestedDrip[] = [];
  for (const walletId of walletIds) drips.push(await requestDrip(flow, { walletId, ...tokens }));
  for (const drip of drips) {
    const received = await awaitDrip(flow, drip);
    funding.push(...received.map(({ id, txHash }) => ({ walletId: drip.walletId, transactionId: id, txHash })));
  }
}
