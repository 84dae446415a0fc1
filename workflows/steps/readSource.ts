import type { WalletFacts } from '../../activities';
import type { TransferInput } from '../../src/flows/transfer';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';

/** Reads the sending wallet that an input names. @throws FlowOutcomeError if its address names no wallet, or several */
export async function readSource(flow: Flow, from: TransferInput['from']): Promise<WalletFacts> {
  if (from.walletId !== undefined) return flow.api.readWallet({ id: from.walletId });
  const named = { address: from.address!, blockchain: from.blockchain! };
  const found = await flow.api.findWalletsAt(named);
  if (found?.length === 1) return found[0]!;
  if (found?.length === 0) {
    throw failedOutcome({
      reason: `from: no wallet has this address on ${named.blockchain}`,
      remedy: 'correct the address or the blockchain; write the address as the API shows it',
    });
  }
  throw failedOutcome({
    reason: `from: the API lists several wallets for this address on ${named.blockchain}`,
    remedy: 'give `walletId` instead',
  });
}
