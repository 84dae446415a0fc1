import { z } from 'zod';
import type { Rule } from '../api/contract/endpoint';
import { ACCOUNT_TYPES } from '../api/contract/resources';
import { USER_WALLET_RULES } from '../api/contract/users';
import { BLOCKCHAINS, type Blockchain, CHAINS } from '../domain/chains';
import { brokenRule } from './brokenRule';

/** Wallets that a user is asked for in one challenge, and so with one approval: one on each blockchain. */
export const userWallets = z.strictObject({
  blockchains: z
    .array(
      z.enum(BLOCKCHAINS, { error: 'is no blockchain of the API; write its name as there, such as "ETH-SEPOLIA"' }),
      {
        error: 'must be a list of blockchains',
      },
    )
    .min(1, 'is empty; name at least one blockchain'),
  accountType: z.enum(ACCOUNT_TYPES, { error: `must be one of ${ACCOUNT_TYPES.join(', ')}` }).default('EOA'),
  /** Name and reference of each wallet, in the order of the blockchains. */
  metadata: z
    .array(z.strictObject({ name: z.string().optional(), refId: z.string().optional() }), { error: 'must be a list' })
    .optional(),
});

export type UserWalletsInput = z.output<typeof userWallets>;

/** A wallet of a user, as flows report it. */
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

/** What is wrong with requests that are made one after the other, by field. */
export function userWalletProblems(field: string, requests: readonly UserWalletsInput[]): [string, string][] {
  const broken = requests.flatMap((request, index): [string, string][] => {
    const problem = brokenRule(RULES, request);
    return problem ? [[`${field}.${index}`, problem]] : [];
  });
  const wanted = requests.flatMap(({ blockchains, accountType }) =>
    blockchains.map((blockchain: Blockchain) => `${accountType} wallet on ${blockchain}`),
  );
  const twice = wanted.find((wallet, index) => wanted.indexOf(wallet) !== index);
  return twice ? [...broken, [field, `has the ${twice} twice; ask for it once`]] : broken;
}
