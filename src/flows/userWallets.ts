import { z } from 'zod';
import type { Rule } from '../api/contract/endpoint';
import { ACCOUNT_TYPES } from '../api/contract/resources';
import { USER_WALLET_RULES } from '../api/contract/users';
import { type Blockchain, BLOCKCHAINS, CHAINS } from '../domain/chains';
import { ruleProblem } from './ruleProblem';

/** Wallets that one challenge creates, and that the user therefore approves together: one on each blockchain. */
export const userWallets = z.strictObject({
  blockchains: z
    .array(z.enum(BLOCKCHAINS, { error: 'is not a blockchain of the API; use a name such as "ETH-SEPOLIA"' }), {
      error: 'must be a list of blockchains',
    })
    .min(1, 'is empty; name at least one blockchain'),
  accountType: z.enum(ACCOUNT_TYPES, { error: `must be one of ${ACCOUNT_TYPES.join(', ')}` }).default('EOA'),
  /** Name and `refId` of each wallet, in the order of the blockchains. */
  metadata: z
    .array(z.strictObject({ name: z.string().optional(), refId: z.string().optional() }), { error: 'must be a list' })
    .optional(),
});

export type UserWalletsInput = z.output<typeof userWallets>;

/** A user's wallet, as flows report it. */
export interface OnboardedWallet {
  id: string;
  address: string;
  blockchain: string;
  accountType: string;
}

const RULES: readonly Rule<UserWalletsInput>[] = [
  ...USER_WALLET_RULES,
  [155507, ({ accountType, blockchains }) => accountType === 'SCA' && blockchains.some((name) => !CHAINS[name].sca)],
  [155508, ({ accountType, blockchains }) => accountType === 'SCA' && blockchains.length > 1],
];

/**
 * Checks the wallet requests of an input against the rules of the API, and for duplicates among all of them.
 * @param field path of the list in the input
 * @returns `[field, problem and remedy]` for each problem
 */
export function userWalletProblems(field: string, requests: readonly UserWalletsInput[]): [string, string][] {
  const broken = requests.flatMap((request, index): [string, string][] => {
    const problem = ruleProblem(RULES, request);
    return problem ? [[`${field}.${index}`, problem]] : [];
  });
  const wanted = requests.flatMap(({ blockchains, accountType }) =>
    blockchains.map((blockchain: Blockchain) => `${accountType} wallet on ${blockchain}`),
  );
  const twice = wanted.find((wallet, index) => wanted.indexOf(wallet) !== index);
  return twice ? [...broken, [field, `contains the ${twice} twice; request it once`]] : broken;
}
