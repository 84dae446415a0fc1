import type { WalletFacts } from '../../activities';
import type { DecisionOption } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { OnboardedWallet } from '../../src/flows/userWallets';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';

const RETRY: DecisionOption = { choice: 'retry', effect: 'reads the wallets again' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed; the wallets stay as they are' };

/** Waits until the wallets can be used. A frozen wallet, or one that cannot be read, needs a decision. */
export async function awaitLiveWallets(flow: Flow, ids: readonly string[]): Promise<OnboardedWallet[]> {
  if (ids.length === 0) return [];
  for (;;) {
    const result = await readWallets(flow, ids);
    if (Array.isArray(result)) return result.map(toOnboardedWallet);
    const choice = await flow.awaitDecision({ ...result, options: [RETRY, GIVE_UP] });
    const { code, reason, remedy } = result;
    if (choice === GIVE_UP.choice) throw new FlowOutcomeError({ status: 'failed', code, reason, remedy });
  }
}

/** @returns the wallets, or the attention that says why they cannot be used */
async function readWallets(flow: Flow, ids: readonly string[]) {
  try {
    const wallets = await flow.api.followWallets([...ids]);
    const frozen = wallets.find(({ state }) => state === 'FROZEN');
    if (!frozen) return wallets;
    const reason = `the wallet on ${frozen.blockchain} is frozen`;
    return { name: 'FrozenWallet', code: CODES.walletFrozen, reason, remedy: 'unfreeze the wallet' };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    const { code, name, remedy } = failure;
    return { name, code: code || undefined, reason: `the wallets can't be read: ${name}`, remedy };
  }
}

function toOnboardedWallet({ id, address, blockchain, accountType = 'EOA' }: WalletFacts): OnboardedWallet {
  return { id, address, blockchain, accountType };
}
