import { z } from 'zod';
import { FEE_LEVELS } from '../../domain/policy';
import { TRANSACTION_STATES, type TransactionState } from '../../domain/transactionState';
import { endpoint, type Rule } from './endpoint';
import { CUSTODY_TYPES, OPERATIONS, TRANSACTION_TYPES, feeEstimate, transaction } from './resources';
import { AMOUNT_RULES, FEE_RULES, ONE_CALL, ONE_SOURCE } from './rules';
import { data, decimal, idParams, isDecimalValue, order, paging, requestBlockchain, uuid } from './schema';

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

const tokenFields = {
  tokenId: uuid.optional(),
  /** With `blockchain` in place of `tokenId`; an empty one is the native token. */
  tokenAddress: z.string().optional(),
};

const transferFields = {
  destinationAddress: z.string().min(1),
  amounts: z.array(decimal).min(1),
  nftTokenIds: z.array(z.string()).min(1).optional(),
  ...sourceFields,
  ...tokenFields,
};

const callFields = {
  contractAddress: z.string().min(1),
  abiFunctionSignature: z.string().optional(),
  abiParameters: z.array(z.unknown()).optional(),
  callData: z.string().optional(),
  /** Native value sent along. */
  amount: decimal.optional(),
  ...sourceFields,
};

export const effectFields = { idempotencyKey: uuid, refId: z.string().optional() };

const TransactionRef = data(z.object({ id: z.string(), state: z.string() }));
const Estimate = data(feeEstimate);

const ONE_TOKEN: readonly Rule<{
  tokenId?: string | undefined;
  tokenAddress?: string | undefined;
}>[] = [[2, (body) => body.tokenId !== undefined && body.tokenAddress !== undefined]];
const CALL_AMOUNT: readonly Rule<{ amount?: string | number | undefined }>[] = [
  [155245, (body) => body.amount !== undefined && !isDecimalValue(body.amount)],
];

const TRANSFER_ERRORS = [
  155201, 155211, 155218, 155219, 155220, 155221, 155225, 155226, 155228, 155232, 155233, 155235, 155238, 155239,
  155240, 155241, 155501, 156001, 156002, 156006,
] as const;
export const SUBMIT_ERRORS = [155202, 155203, 155264, 155505] as const;
export const ESTIMATE_ERRORS = [155204, 155205, 155206, 155207, 155208, 155209, 155210] as const;

/** Transactions (spec: Transactions; api-facts 4). */
export const transactions = {
  listTransactions: endpoint({
    method: 'GET',
    path: '/transactions',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      blockchain: requestBlockchain.optional(),
      custodyType: z.enum(CUSTODY_TYPES).optional(),
      destinationAddress: z.string().optional(),
      includeAll: z.boolean().optional(),
      operation: z.enum(OPERATIONS).optional(),
      state: z.enum(Object.keys(TRANSACTION_STATES) as [TransactionState, ...TransactionState[]]).optional(),
      txHash: z.string().optional(),
      txType: z.enum(TRANSACTION_TYPES).optional(),
      /** Comma-separated ids. */
      walletIds: z.string().optional(),
      /** Refused with `155223`; declared so that the refusal is the API's and not an unknown parameter. */
      userId: z.string().optional(),
      ...paging,
      order,
    }),
    response: data(z.object({ transactions: z.array(transaction).optional() })),
    errors: [155223, 156012, 156014],
    summary: 'Lists transactions, newest first unless told otherwise',
  }),
  getTransaction: endpoint({
    method: 'GET',
    path: '/transactions/{id}',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    query: z.object({ txType: z.enum(TRANSACTION_TYPES).optional() }),
    response: data(z.object({ transaction })),
    errors: [156003, 156009],
    summary: 'One transaction',
  }),
  validateAddress: endpoint({
    method: 'POST',
    path: '/transactions/validateAddress',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({ address: z.string().min(1), blockchain: requestBlockchain }),
    response: data(z.object({ isValid: z.boolean() })),
    summary: 'Whether an address is well-formed on a blockchain',
  }),
  estimateTransferFee: endpoint({
    method: 'POST',
    path: '/transactions/transfer/estimateFee',
    auth: 'apiKey',
    limit: 'ten',
    idempotency: 'repeatable',
    body: z.object(transferFields),
    response: Estimate,
    rules: [...ONE_SOURCE, ...ONE_TOKEN, ...AMOUNT_RULES],
    errors: [...TRANSFER_ERRORS, ...ESTIMATE_ERRORS],
    summary: 'Fees of a transfer at three levels',
  }),
  estimateContractExecutionFee: endpoint({
    method: 'POST',
    path: '/transactions/contractExecution/estimateFee',
    auth: 'apiKey',
    limit: 'ten',
    idempotency: 'repeatable',
    body: z.object(callFields),
    response: Estimate,
    rules: [...ONE_SOURCE, ...ONE_CALL, ...CALL_AMOUNT],
    errors: [155219, 155226, 155510, 156001, ...ESTIMATE_ERRORS],
    summary: 'Fees of a contract call at three levels',
  }),
  estimateContractDeploymentFee: endpoint({
    method: 'POST',
    path: '/transactions/contractDeployment/estimateFee',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({
      bytecode: z.string().optional(),
      abiJson: z.string().optional(),
      constructorSignature: z.string().optional(),
      constructorParameters: z.array(z.unknown()).optional(),
      ...sourceFields,
    }),
    response: Estimate,
    rules: [...ONE_SOURCE, [155243, (body) => !body.bytecode]],
    errors: [155226, 155510, 156001, 175002, 175003, 175007, ...ESTIMATE_ERRORS],
    summary: 'Fees of a contract deployment at three levels',
  }),
  createTransfer: endpoint({
    method: 'POST',
    path: '/developer/transactions/transfer',
    auth: 'entitySecret',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...effectFields, ...transferFields, ...feeFields }),
    response: TransactionRef,
    rules: [...ONE_SOURCE, ...ONE_TOKEN, ...AMOUNT_RULES, ...FEE_RULES],
    errors: [...TRANSFER_ERRORS, ...SUBMIT_ERRORS],
    summary: 'Sends tokens from a developer wallet',
  }),
  createContractExecution: endpoint({
    method: 'POST',
    path: '/developer/transactions/contractExecution',
    auth: 'entitySecret',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...effectFields, ...callFields, ...feeFields }),
    response: TransactionRef,
    rules: [...ONE_SOURCE, ...ONE_CALL, ...CALL_AMOUNT, ...FEE_RULES],
    errors: [
      155201,
      155207,
      155209,
      155211,
      155219,
      155232,
      155233,
      155235,
      155238,
      155501,
      155510,
      156001,
      156006,
      ...SUBMIT_ERRORS,
    ],
    summary: 'Calls a contract from a developer wallet',
  }),
  accelerateTransaction: endpoint({
    method: 'POST',
    path: '/developer/transactions/{id}/accelerate',
    auth: 'entitySecret',
    limit: 'post',
    idempotency: 'key',
    params: idParams,
    body: z.object({ idempotencyKey: uuid }),
    response: data(z.object({ id: z.string() })),
    errors: [155201, 155215, 155227, 155229, 155501, 156003, 156009],
    summary: 'Raises the fee of a sent transaction',
  }),
  cancelTransaction: endpoint({
    method: 'POST',
    path: '/developer/transactions/{id}/cancel',
    auth: 'entitySecret',
    limit: 'post',
    idempotency: 'key',
    params: idParams,
    body: z.object({ idempotencyKey: uuid }),
    response: TransactionRef,
    errors: [155201, 155215, 155227, 155229, 155501, 156003, 156009],
    summary: 'Tries to cancel a transaction; costs gas',
  }),
};
