import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { FundTestnetInput, FundTestnetResult } from '../src/flows/fundTestnet';
import { runFlow } from './kit/runFlow';
import { awaitDrip, requestDrip } from './steps/drip';

/** Asks the faucet for testnet tokens and waits until they are in the wallet. */
export async function fundTestnet(start: FlowStart<FundTestnetInput>): Promise<Outcome<FundTestnetResult>> {
  const { input } = start;
  return runFlow(start, async (flow) => {
    const asked = await flow.step('drip', () => requestDrip(flow, input));
    const arrived = await flow.step('arrive', () => awaitDrip(flow, asked));
    return { walletId: input.walletId, transactions: arrived.map(({ id, txHash }) => ({ transactionId: id, txHash })) };
  });
}
