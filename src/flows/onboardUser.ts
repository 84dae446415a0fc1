import { z } from 'zod';
import { type Chain, CHAINS } from '../domain/chains';
import { CODES } from '../domain/codes';
import { isSealed, type Sealed } from '../domain/sealed';
import { defineFlow, type SealedInput } from './definition';
import { deadline, tokenId, userId } from './fields';
import { type OnboardedWallet, userWalletProblems, userWallets } from './userWallets';

const email = z
  .custom<string | Sealed>((value) => isSealed(value) || z.email().safeParse(value).success, {
    error: "is not an email address; use the user's address, in clear text or sealed by `seal`",
  })
  .describe("string, the user's email address");
/** The device that the user logs in from. Without it the flow asks for it later. */
const deviceId = z
  .uuid({ error: 'is not a device id; use the UUID from `getDeviceId()` of the browser SDK' })
  .describe('UUID from `getDeviceId()` of the browser SDK; the flow asks for it later if it is missing')
  .optional();
const provider = z.enum(['Google', 'Facebook', 'Apple'], { error: 'must be one of Google, Facebook, Apple' });

const commonFields = {
  /** Each entry needs one approval. A user without wallets approves the first one together with the initialization. */
  wallets: z
    .array(userWallets, { error: 'must be a list; write [{ "blockchains": ["ETH-SEPOLIA"] }]' })
    .min(1, 'is empty; add at least one entry'),
  /** Testnet tokens to request from the faucet for each wallet. */
  fund: z.strictObject({ native: z.boolean().optional(), usdc: z.boolean().optional() }).optional(),
  /** Tokens to add to those that the entity monitors. */
  monitoredTokens: z
    .array(tokenId)
    .min(1, 'is empty; add a token, or remove the field')
    .describe('list of UUIDs of tokens')
    .optional(),
  deadline: deadline.optional(),
};

const OnboardUserInput = z.discriminatedUnion(
  'method',
  [
    z.strictObject({ method: z.literal('pin'), userId, ...commonFields }),
    // With `userId` the flow refuses any other user. Without it, it onboards the user who logs in.
    z.strictObject({ method: z.literal('email'), email, userId: userId.optional(), deviceId, ...commonFields }),
    z.strictObject({ method: z.literal('social'), provider, userId: userId.optional(), deviceId, ...commonFields }),
  ],
  { error: 'must be one of pin, email, social' },
);

export type OnboardUserInput = SealedInput<z.output<typeof OnboardUserInput>, 'email'>;

/** What exists in the API when the flow ends. If the flow did not complete, only part of what was requested. */
export interface OnboardUserResult {
  userId: string;
  /** Ids of the wallets that existed before and of those that the approvals created, also of wallets that are not live. */
  walletIds: string[];
  /** If completed: all requested wallets, in the order of the input. Empty if a person gave up the wait for them. */
  wallets: OnboardedWallet[];
  /** The transactions from the faucet. */
  funding: { walletId: string; transactionId: string; txHash?: string }[];
  /** What existed before the flow and is reused: whether the user existed, and the ids of existing wallets. */
  adopted: { user: boolean; walletIds: string[] };
  /** The user approved after the deadline, or after a cancellation was requested. */
  approvedLate?: true;
}

/** Sets up a user whose wallets are live at the end (docs/architecture.md#the-path-of-one-onboarding). */
export const onboardUser = defineFlow<OnboardUserResult>()({
  input: OnboardUserInput,
  sealed: ['email'],
  check: ({ wallets, fund }) => [...userWalletProblems('wallets', wallets), ...fundProblems(wallets, fund)],
});

type Common = z.output<z.ZodObject<typeof commonFields>>;

function fundProblems(wallets: Common['wallets'], fund: Common['fund']): [string, string][] {
  if (!fund) return [];
  if (!fund.native && !fund.usdc) return [['fund', 'requests no token; set native or usdc to true, or remove it']];
  const unsupported = wallets
    .flatMap(({ blockchains }) => blockchains)
    .find((name) => {
      const { network, transfers }: Chain = CHAINS[name];
      return network !== 'testnet' || !transfers;
    });
  return unsupported
    ? [
        [
          'fund',
          `${CODES.blockchainUnsupported} the faucet does not support ${unsupported}; remove fund or the blockchain`,
        ],
      ]
    : [];
}
