import type { WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import { failedOutcome } from '../kit/failure';

/**
 * Checks that the wallet is usable, and that a deadline is given only if a user has to approve.
 * @throws FlowOutcomeError
 */
export function checkWallet({ state, userId }: WalletFacts, { deadline }: { deadline?: number }): void {
  if (state === 'FROZEN') {
    throw failedOutcome({
      code: CODES.walletFrozen,
      reason: 'the sending wallet is frozen',
      remedy: 'unfreeze the wallet, or send from another one',
    });
  }
  if (deadline !== undefined && userId === undefined) {
    throw failedOutcome({
      reason: 'deadline: a developer wallet does not wait for a user',
      remedy: 'remove the deadline',
    });
  }
}
