import type { WalletFacts } from '../../activities';
import type { DecisionOption } from '../../src/domain/attention';
import { CODES } from '../../src/domain/codes';
import type { OnboardedWallet } from '../../src/flows/userWallets';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';

const RETRY: DecisionOption = { choice: 'retry', effect: 'looks at the wallets again' };
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed; the wallets stay as they are' };

/** Waits until wallets can be used. One that is frozen (spec, States and transitions) is a question to a person. */
export async function liveWallets(flow: Flow, ids: readonly string[]): Promise<OnboardedWallet[]> {
  if (ids.length === 0) return [];
  for (;;) {
    const trouble = await look(flow, ids);
    if (Array.isArray(trouble)) return trouble.map(reported);
    const choice = await flow.attention({ ...trouble, options: [RETRY, GIVE_UP] });
    const { code, reason, remedy } = trouble;
    if (choice === GIVE_UP.choice) throw new Refusal({ status: 'failed', code, reason, remedy });
  }
}

/** @returns the wallets, or why they can't be used */
async function look(flow: Flow, ids: readonly string[]) {
  try {
    const wallets = await flow.api.followWallets([...ids]);
    const frozen = wallets.find(({ state }) => state === 'FROZEN');
    if (!frozen) return wallets;
    const reason = `the wallet on ${frozen.blockchain} is frozen`;
    return { name: 'FrozenWallet', code: CODES.walletFrozen, reason, remedy: 'unfreeze the wallet, then retry' };
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    const { code, name, remedy } = failure;
    return { name, code: code || undefined, reason: `the wallets can't be read: ${name}`, remedy };
  }
}

function reported({ id, address, blockchain, accountType = 'EOA' }: WalletFacts): OnboardedWallet {
  return { id, address, blockchain, accountType };
}
