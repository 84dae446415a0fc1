import type { WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import { failedOutcome } from '../kit/flowOutcomeError';

/**
 * Checks that the wallet is usable, and that a deadline is given only if a user has to approve.
 * @throws FlowOutcomeError
 */
export function checkWallet({ state, userId }: WalletFacts, { deadline }: { deadline?: number }): void {
  if (state === 'FROZEN') {
    throw failedOutcome(
      CODES.walletFrozen,
      'the sending wallet is frozen',
      'unfreeze the wallet, or send from another one',
    );
  }
  if (deadline !== undefined && userId === undefined) {
    throw failedOutcome(undefined, 'deadline: a developer wallet does not wait for a user', 'remove the deadline');
  }
}
