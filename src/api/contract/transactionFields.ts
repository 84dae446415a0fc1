import { z } from 'zod';
import { FEE_LEVELS } from '../../domain/policy';
import type { Rule } from './endpoint';
import { feeEstimate } from './resources';
import { data, decimal, isDecimalValue, requestBlockchain, uuid } from './schema';

/** Fields, rules and codes that the endpoints of transactions share (spec, Transaction request fields). */

export const feeFields = {
  feeLevel: z.enum(FEE_LEVELS).optional(),
  gasLimit: decimal.optional(),
  /** Gwei, as are `maxFee` and `priorityFee`. */
  gasPrice: decimal.optional(),
  maxFee: decimal.optional(),
  priorityFee: decimal.optional(),
};

/** The spec says `sourceAddress`, the public API `walletAddress` on creation: both are taken. */
export const sourceFields = {
  walletId: uuid.optional(),
  sourceAddress: z.string().optional(),
  walletAddress: z.string().optional(),
  blockchain: requestBlockchain.optional(),
};

export const tokenFields = {
  tokenId: uuid.optional(),
  /** With `blockchain` in place of `tokenId`; an empty one is the native token. */
  tokenAddress: z.string().optional(),
};

export const transferFields = {
  destinationAddress: z.string().min(1),
  amounts: z.array(decimal).min(1),
  nftTokenIds: z.array(z.string()).min(1).optional(),
  ...sourceFields,
  ...tokenFields,
};

export const callFields = {
  contractAddress: z.string().min(1),
  abiFunctionSignature: z.string().optional(),
  abiParameters: z.array(z.unknown()).optional(),
  callData: z.string().optional(),
  /** Native value sent along. */
  amount: decimal.optional(),
  ...sourceFields,
};

export const effectFields = { idempotencyKey: uuid, refId: z.string().optional() };

export const TransactionRef = data(z.object({ id: z.string(), state: z.string() }));
export const Estimate = data(feeEstimate);

export const ONE_TOKEN: readonly Rule<{
  tokenId?: string | undefined;
  tokenAddress?: string | undefined;
}>[] = [[2, (body) => body.tokenId !== undefined && body.tokenAddress !== undefined]];
export const CALL_AMOUNT: readonly Rule<{ amount?: string | number | undefined }>[] = [
  [155245, (body) => body.amount !== undefined && !isDecimalValue(body.amount)],
];

export const TRANSFER_ERRORS = [
  155201, 155211, 155218, 155219, 155220, 155221, 155222, 155225, 155226, 155228, 155232, 155233, 155235, 155238,
  155239, 155240, 155241, 155257, 155258, 155262, 155501, 156001, 156002, 156006, 156011,
] as const;
export const SUBMIT_ERRORS = [155202, 155203, 155264, 155505, 155512] as const;
export const ESTIMATE_ERRORS = [155204, 155205, 155206, 155207, 155208, 155209, 155210] as const;
