import { z } from 'zod';
import { FEE_RULES } from '../api/contract/rules';
import { canonicalNftId } from '../domain/nfts';
import { FEE_LEVELS } from '../domain/policy';
import { defineFlow } from './definition';
import { address, amount, blockchain, deadline, tokenId, walletId } from './fields';
import { ruleProblem } from './ruleProblem';

const digits = z.string({ error: 'must be a string of digits' }).describe('string of digits');
const gwei = z.string({ error: 'must be a decimal string' }).describe('decimal string, in gwei');

/** A bound for the size of the request and of its gas. The API publishes none. */
const MAX_NFTS = 100;

const TransferInput = z.strictObject({
  /** A developer wallet, or a user's wallet (the user then has to approve): by its id, or by its address and blockchain. */
  from: z.strictObject({
    walletId: walletId
      .describe("UUID of a developer wallet, or of a user's wallet (the user then has to approve)")
      .optional(),
    address: address.optional(),
    blockchain: blockchain.optional(),
  }),
  to: address,
  /** A native token, a fungible token or an NFT contract. */
  tokenId,
  /** Of a native or fungible token. */
  amount: amount.optional(),
  /** Instead of `amount`: the NFTs to send. Only an ERC-1155 contract sends several, or more than one of an id. */
  nfts: z
    .array(
      z.strictObject({
        id: z
          .string({ error: 'must be a string' })
          .regex(/^\S{1,100}$/, {
            error: 'is not the id of an NFT; use `nftTokenId` of the list of NFTs of the wallet',
          })
          .describe('the `nftTokenId` that the API shows for the NFT'),
        amount: amount.optional().describe('decimal string; 1 by default'),
      }),
    )
    .min(1, { error: 'must name at least one NFT' })
    .max(MAX_NFTS, { error: `must name at most ${MAX_NFTS} NFTs; send the others with another transfer` })
    .optional(),
  /** Replaces the policy's fee level. Its maximum fee still applies. */
  fee: z
    .strictObject({
      feeLevel: z.enum(FEE_LEVELS, { error: `must be one of ${FEE_LEVELS.join(', ')}` }).optional(),
      gasLimit: digits.optional(),
      gasPrice: gwei.optional(),
      maxFee: gwei.optional(),
      priorityFee: gwei.optional(),
    })
    .optional(),
  /** For the user's approval. It has no effect on developer wallets. */
  deadline: deadline.optional(),
});

export type TransferInput = z.output<typeof TransferInput>;

/** The transaction. Present in every outcome if the API has created it. */
export interface TransferResult {
  transactionId: string;
  /** The transaction's final state at the API. */
  state: string;
  txHash?: string;
  /**
   * What the API says it sent: decimal strings, in tokens, in the API's own form (`10.5` for `10.50`). Absent if the API
   * reports no amounts.
   */
  amounts?: string[];
  /** Fee paid in native tokens, as a decimal string. */
  networkFee?: string;
  /** The challenge that the user approved. */
  challengeId?: string;
  /** The user approved after the deadline, or after a cancellation was requested. */
  approvedLate?: true;
  evaluation?: LateEvaluation;
}

/**
 * The second check of funds and fee, if the user approved later than the policy's `approvalMaxAge`. It is only reported,
 * because the approval has already sent the transfer.
 */
export interface LateEvaluation {
  /** Milliseconds from the check before the challenge until the flow learned of the approval. */
  approvalAgeMs: number;
  /** `unknown`: the API refused the estimate or the request failed, possibly because of the transfer itself. */
  outcome: 'passed' | 'failed' | 'unknown';
  reason?: string;
}

/** Sends tokens from a developer wallet, or from a user's wallet after the user has approved. */
export const transfer = defineFlow<TransferResult>()({
  input: TransferInput,
  check: ({ from, amount: fungible, nfts, fee }) => {
    const feeProblem = fee && ruleProblem(FEE_RULES, fee);
    return [
      ...sourceProblems(from),
      ...assetProblems(fungible, nfts),
      ...(feeProblem ? ([['fee', feeProblem]] as const) : []),
    ];
  },
});

type Problems = readonly (readonly [field: string, problem: string])[];

function sourceProblems(from: TransferInput['from']): Problems {
  const byId = from.walletId !== undefined;
  const byAddress = from.address !== undefined || from.blockchain !== undefined;
  if (byId && byAddress) return [['from', 'names the wallet twice; give `walletId`, or `address` and `blockchain`']];
  if (byId || (from.address !== undefined && from.blockchain !== undefined)) return [];
  return [['from', 'must name a wallet: give `walletId`, or `address` and `blockchain`']];
}

function assetProblems(fungible: string | undefined, nfts: TransferInput['nfts']): Problems {
  if (fungible !== undefined && nfts)
    return [['nfts', 'cannot be combined with `amount`; give the amount of each NFT']];
  if (fungible === undefined && !nfts) return [['amount', 'is missing; give an amount, or `nfts` for NFTs']];
  const ids = nfts?.map(({ id }) => canonicalNftId(id)) ?? [];
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  return repeated === undefined ? [] : [['nfts', `names ${repeated} twice; give one entry with the whole amount`]];
}
