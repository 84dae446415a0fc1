import { z } from 'zod';
import { defineFlow } from './definition';
import { deadline, userId } from './fields';
import { type OnboardedWallet, userWalletProblems, userWallets } from './userWallets';

const AddUserWalletsInput = z.strictObject({
  userId,
  ...userWallets.shape,
  deadline: deadline.optional(),
});

export type AddUserWalletsInput = z.output<typeof AddUserWalletsInput>;

export interface AddUserWalletsResult {
  /** Ids of what the approval made. */
  walletIds: string[];
  /** All of them when completed; none where they did not become usable. */
  wallets: OnboardedWallet[];
  challengeId: string;
  /** The user approved after the deadline, or after the flow was called back. */
  approvedLate?: true;
}

/** Further wallets of a user who has been onboarded (DESIGN section 5). */
export const addUserWallets = defineFlow<AddUserWalletsResult>()({
  name: 'addUserWallets',
  summary: 'Has a user approve further wallets, and waits until they are live',
  input: AddUserWalletsInput,
  check: ({ blockchains, accountType, metadata }) =>
    userWalletProblems('', [{ blockchains, accountType, metadata }]).map(([, problem]) => [
      'blockchains, accountType, metadata',
      problem,
    ]),
});
