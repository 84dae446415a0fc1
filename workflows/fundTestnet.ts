import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { FundTestnetInput, FundTestnetResult } from '../src/flows/fundTestnet';
import { runFlow } from './kit/runFlow';
import { awaitDrip, prepareDrip, requestDrip } from './steps/drip';

/** Requests testnet tokens from the faucet and waits until they have arrived in the wallet. */
export async function fundTestnet(start: FlowStart<FundTestnetInput>): Promise<Outcome<FundTestnetResult>> {
  return runFlow(start, async (flow) => {
    const { input } = start;
    const drip = await flow.step('drip', async () => requestDrip(flow, await prepareDrip(flow, input)));
    const received = await flow.step('arrive', () => awaitDrip(flow, drip));
    return {
      walletId: input.walletId,
      transactions: received.map(({ id, txHash }) => ({ transactionId: id, txHash })),
    };
  });
}
