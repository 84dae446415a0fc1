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
  /** Ids of the wallets that the approval created. */
  walletIds: string[];
  /** All of these wallets if the flow completed; empty if they did not become live. */
  wallets: OnboardedWallet[];
  challengeId: string;
  /** The user approved after the deadline, or after a cancellation was requested. */
  approvedLate?: true;
}

/** More wallets for a user who has been onboarded. */
export const addUserWallets = defineFlow<AddUserWalletsResult>()({
  input: AddUserWalletsInput,
  check: ({ blockchains, accountType, metadata }) =>
    userWalletProblems('', [{ blockchains, accountType, metadata }]).map(([, problem]) => [
      'blockchains, accountType, metadata',
      problem,
    ]),
});
