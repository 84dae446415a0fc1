import { CODES } from '../../src/domain/codes';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import { localActivities } from '../kit/activities';
import { failedOutcome } from '../kit/failure';

/**
 * Checks whether the entity may use these blockchains, before anything is created (docs/security.md#live-safety).
 * @throws FlowOutcomeError
 */
export async function checkChains(requests: readonly UserWalletsInput[]): Promise<void> {
  const problem = await localActivities.chainProblem(requests.flatMap(({ blockchains }) => blockchains));
  if (problem === undefined) return;
  throw failedOutcome({
    code: CODES.keyBlockchainMismatch,
    reason: `wallets: ${problem}`,
    remedy: 'name other blockchains',
  });
}
