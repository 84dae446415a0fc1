import type { WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import { refused } from '../kit/refusal';

/** Whether a wallet can do anything, and whether there is somebody whom a deadline could be for. */
export function checkWallet({ state, userId }: WalletFacts, { deadline }: { deadline?: number }): void {
  if (state === 'FROZEN') {
    throw refused(CODES.walletFrozen, 'the sending wallet is frozen', 'unfreeze the wallet, or send from another one');
  }
  if (deadline !== undefined && userId === undefined) {
    throw refused(undefined, 'deadline: a developer wallet waits for no user', 'leave the deadline out');
  }
}
