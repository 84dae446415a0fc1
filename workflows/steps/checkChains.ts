import { CODES } from '../../src/domain/codes';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import { localActivities } from '../kit/activities';
import { FlowOutcomeError } from '../kit/flowOutcomeError';

/**
 * Checks whether the entity may use these blockchains, before anything is created (docs/security.md#live-safety).
 * @throws FlowOutcomeError
 */
export async function checkChains(requests: readonly UserWalletsInput[]): Promise<void> {
  const problem = await localActivities.chainProblem(requests.flatMap(({ blockchains }) => blockchains));
  if (problem === undefined) return;
  throw new FlowOutcomeError({
    status: 'failed',
    code: CODES.keyBlockchainMismatch,
    reason: `wallets: ${problem}`,
    remedy: 'name other blockchains',
  });
}
