import { CODES } from '../../src/domain/codes';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import { local } from '../kit/activities';
import { Refusal } from '../kit/refusal';

/** Whether the entity may use the blockchains at all, before anything is made on them (DESIGN rule 11). */
export async function checkChains(requests: readonly UserWalletsInput[]): Promise<void> {
  const problem = await local.chainProblem(requests.flatMap(({ blockchains }) => blockchains));
  if (problem === undefined) return;
  throw new Refusal({
    status: 'failed',
    code: CODES.keyBlockchainMismatch,
    reason: `wallets: ${problem}`,
    remedy: 'name others',
  });
}
