import type { FundTestnetInput } from '../../src/flows/fundTestnet';
import type { OnboardUserResult } from '../../src/flows/onboardUser';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { awaitDrip, prepareDrip, requestDrip, type RequestedDrip } from './drip';
import { repeatOrGiveUp } from './repeatOrGiveUp';

const QUESTION = {
  consequence: "the wallet can't be read before tokens are requested for it",
  retry: 'reads the wallet again',
  giveUp: 'ends the flow as failed, after the tokens requested so far; the user and the wallets stay as they are',
};

/**
 * Requests tokens for each wallet, then waits for all of them. If a request fails, it still waits for the earlier ones, so
 * that the outcome reports them.
 * @param funding receives the transactions as they arrive
 * @throws FlowOutcomeError
 */
export async function fundWallets(
  flow: Flow,
  walletIds: readonly string[],
  tokens: Omit<FundTestnetInput, 'walletId'>,
  funding: OnboardUserResult['funding'],
): Promise<void> {
  const drips: RequestedDrip[] = [];
  const failure = await outcomeErrorOf(async () => {
    for (const walletId of walletIds) {
      const prepared = await repeatOrGiveUp(flow, QUESTION, () => prepareDrip(flow, { walletId, ...tokens }));
      drips.push(await requestDrip(flow, prepared));
    }
  });
  for (const drip of drips) {
    const received = await awaitDrip(flow, drip);
    funding.push(...received.map(({ id, txHash }) => ({ walletId: drip.walletId, transactionId: id, txHash })));
  }
  if (failure) throw failure;
}

/** @throws every other error */
async function outcomeErrorOf(body: () => Promise<void>): Promise<FlowOutcomeError | undefined> {
  try {
    await body();
    return undefined;
  } catch (error) {
    if (error instanceof FlowOutcomeError) return error;
    throw error;
  }
}
