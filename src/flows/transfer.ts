import { z } from 'zod';
import { canonicalNftId } from '../domain/nfts';
import { defineFlow } from './definition';
import { fee, feeProblems } from './fee';
import { address, amount, deadline, tokenId } from './fields';
import { source, sourceProblems } from './source';
import type { TransactionResult } from './transactionResult';

/** A bound for the size of the request and of its gas. The API publishes none. */
const MAX_NFTS = 100;

const TransferInput = z.strictObject({
  from: source,
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
  fee: fee.optional(),
  /** For the user's approval. It has no effect on developer wallets. */
  deadline: deadline.optional(),
});

export type TransferInput = z.output<typeof TransferInput>;

export type TransferResult = TransactionResult;

/** Sends tokens from a developer wallet, or from a user's wallet after the user has approved. */
export const transfer = defineFlow<TransferResult>()({
  input: TransferInput,
  check: ({ from, amount: fungible, nfts, fee: choice }) => [
    ...sourceProblems(from),
    ...assetProblems(fungible, nfts),
    ...feeProblems(choice),
  ],
});

type Problems = readonly (readonly [field: string, problem: string])[];

function assetProblems(fungible: string | undefined, nfts: TransferInput['nfts']): Problems {
  if (fungible !== undefined && nfts)
    return [['nfts', 'cannot be combined with `amount`; give the amount of each NFT']];
  if (fungible === undefined && !nfts) return [['amount', 'is missing; give an amount, or `nfts` for NFTs']];
  const ids = nfts?.map(({ id }) => canonicalNftId(id)) ?? [];
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  return repeated === undefined ? [] : [['nfts', `names ${repeated} twice; give one entry with the whole amount`]];
}
