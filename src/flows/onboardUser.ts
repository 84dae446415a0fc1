import { z } from 'zod';
import { CHAINS, type Chain } from '../domain/chains';
import { CODES } from '../domain/codes';
import { isSealed, type Sealed } from '../domain/sealed';
import { defineFlow, type SealedInput } from './definition';
import { deadline, tokenId, userId } from './fields';
import { type OnboardedWallet, userWalletProblems, userWallets } from './userWallets';

const email = z
  .custom<string | Sealed>((value) => isSealed(value) || z.email().safeParse(value).success, {
    error: 'is no email address, nor one that `seal` has sealed; give the address of the user',
  })
  .describe('text, the address of the user');
/** What the browser SDK calls the device that the user logs in from; without it the flow asks for it. */
const deviceId = z
  .uuid({ error: 'is no device id; give the UUID of `getDeviceId()` in the browser SDK' })
  .describe('UUID of `getDeviceId()` in the browser SDK; asked for later when left out')
  .optional();
const provider = z.enum(['Google', 'Facebook', 'Apple'], { error: 'must be one of Google, Facebook, Apple' });

const common = {
  /** Each entry is one approval; the first comes with the user's initialization. */
  wallets: z
    .array(userWallets, { error: 'must be a list; write [{ "blockchains": ["ETH-SEPOLIA"] }]' })
    .min(1, 'is empty; ask for at least one wallet'),
  /** Testnet tokens from the faucet, for each of the wallets. */
  fund: z.strictObject({ native: z.boolean().optional(), usdc: z.boolean().optional() }).optional(),
  /** Tokens that the entity shall monitor. */
  monitoredTokens: z
    .array(tokenId)
    .min(1, 'is empty; name a token, or leave it out')
    .describe('list of UUIDs of tokens')
    .optional(),
  deadline: deadline.optional(),
};

const OnboardUserInput = z.discriminatedUnion(
  'method',
  [
    z.strictObject({ method: z.literal('pin'), userId, ...common }),
    /** With `userId` only that user is onboarded; without it whoever has the address. */
    z.strictObject({ method: z.literal('email'), email, userId: userId.optional(), deviceId, ...common }),
    z.strictObject({ method: z.literal('social'), provider, userId: userId.optional(), deviceId, ...common }),
  ],
  { error: 'must be one of pin, email, social' },
);

export type OnboardUserInput = SealedInput<z.output<typeof OnboardUserInput>, 'email'>;

/** What onboarding reports; as far as it came, where it did not complete. */
export interface OnboardUserResult {
  userId: string;
  /** All that were asked for, in that order, when completed. */
  wallets: OnboardedWallet[];
  /** What the faucet sent. */
  funding: { walletId: string; transactionId: string; txHash?: string }[];
  /** What was there before the flow and was taken over: the user, and wallets by id. */
  adopted: { user: boolean; walletIds: string[] };
  /** The user approved after the deadline, or after the flow was called back. */
  approvedLate?: true;
}

/** Brings a user to live wallets (DESIGN section 5). */
export const onboardUser = defineFlow<OnboardUserResult>()({
  name: 'onboardUser',
  summary: 'Creates a user or lets one log in, has the user approve, and follows until the wallets are live',
  input: OnboardUserInput,
  sealed: ['email'],
  check: ({ wallets, fund }) => [...userWalletProblems('wallets', wallets), ...fundProblems(wallets, fund)],
});

type Common = z.output<z.ZodObject<typeof common>>;

function fundProblems(wallets: Common['wallets'], fund: Common['fund']): [string, string][] {
  if (!fund) return [];
  if (!fund.native && !fund.usdc) return [['fund', 'asks for nothing; set native or usdc to true, or leave it out']];
  const dry = wallets
    .flatMap(({ blockchains }) => blockchains)
    .find((name) => {
      const { network, transfers }: Chain = CHAINS[name];
      return network !== 'testnet' || !transfers;
    });
  return dry
    ? [['fund', `${CODES.blockchainUnsupported} the faucet sends nothing on ${dry}; leave fund out, or the blockchain`]]
    : [];
}
