import { z } from 'zod';
import { FEE_LEVELS } from '../../domain/policy';
import { TRANSACTION_STATES, type TransactionState } from '../../domain/transactionState';
import type { Rule } from './endpoint';
import { feeEstimate, UPGRADE_CORES } from './resources';
import { AMOUNT_RULES, FEE_RULES, ONE_CALL, ONE_SOURCE } from './rules';
import { data, decimal, isDecimalValue, openEnum, requestBlockchain, uuid } from './schema';

/** Fields, rules and codes that the transaction endpoints share (docs/api-behavior.md#transactions). */

export const feeFields = {
  feeLevel: z.enum(FEE_LEVELS).optional(),
  gasLimit: decimal.optional(),
  /** Gwei, as are `maxFee` and `priorityFee`. */
  gasPrice: decimal.optional(),
  maxFee: decimal.optional(),
  priorityFee: decimal.optional(),
};

export const sourceFields = {
  walletId: uuid.optional(),
  sourceAddress: z.string().optional(),
  blockchain: requestBlockchain.optional(),
};

/** On endpoints that send something, the published name of `sourceAddress` is this one. Both names are accepted. */
export const senderFields = { walletAddress: z.string().optional() };

export const tokenFields = {
  tokenId: uuid.optional(),
  /** Together with `blockchain`, instead of `tokenId`. An empty string is the native token. */
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
  /** Native amount to send with the call. */
  amount: decimal.optional(),
  ...sourceFields,
};

export const effectFields = { idempotencyKey: uuid, refId: z.string().optional() };

export const STATES = Object.keys(TRANSACTION_STATES) as [TransactionState, ...TransactionState[]];
export const TransactionRef = data(z.object({ id: z.string(), state: openEnum(STATES) }));
export const Estimate = data(feeEstimate);

export const ONE_TOKEN: readonly Rule<{
  tokenId?: string | undefined;
  tokenAddress?: string | undefined;
}>[] = [[2, (body) => body.tokenId !== undefined && body.tokenAddress !== undefined]];
export const CALL_AMOUNT: readonly Rule<{ amount?: string | number | undefined }>[] = [
  [155245, (body) => body.amount !== undefined && !isDecimalValue(body.amount)],
];

/** Developer and user endpoints take the same requests. */
export const TransferRequest = z.object({ ...effectFields, ...transferFields, ...senderFields, ...feeFields });
export const TRANSFER_RULES = [...ONE_SOURCE, ...ONE_TOKEN, ...AMOUNT_RULES, ...FEE_RULES] as const;
export const CallRequest = z.object({ ...effectFields, ...callFields, ...senderFields, ...feeFields });
export const CALL_RULES = [...ONE_SOURCE, ...ONE_CALL, ...CALL_AMOUNT, ...FEE_RULES] as const;
export const UpgradeRequest = z.object({
  ...effectFields,
  ...sourceFields,
  ...senderFields,
  newScaCore: z.enum(UPGRADE_CORES),
  ...feeFields,
});
export const UPGRADE_RULES = [...ONE_SOURCE, ...FEE_RULES] as const;
/** Accelerates or cancels the transaction that the path names. */
export const ReplaceRequest = z.object({ idempotencyKey: uuid });

export const TRANSFER_ERRORS = [
  155201, 155211, 155218, 155219, 155220, 155221, 155222, 155225, 155226, 155228, 155232, 155233, 155235, 155238,
  155239, 155240, 155241, 155257, 155258, 155262, 155501, 156001, 156002, 156006, 156011,
] as const;
export const CALL_ERRORS = [
  155201, 155207, 155209, 155211, 155219, 155225, 155226, 155232, 155233, 155235, 155238, 155501, 155510, 156001,
  156006,
] as const;
export const UPGRADE_ERRORS = [155201, 155232, 155501, 155506, 155514, 155515, 156001, 156006] as const;
export const SUBMIT_ERRORS = [155202, 155203, 155264, 155505, 155512] as const;
export const ESTIMATE_ERRORS = [155204, 155205, 155206, 155207, 155208, 155209, 155210] as const;
export const REPLACE_ERRORS = [155201, 155211, 155215, 155227, 155229, 155501, 156003, 156009] as const;
