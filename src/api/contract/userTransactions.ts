import { endpoint } from './endpoint';
import { idParams } from './schema';
import {
  CALL_ERRORS,
  CALL_RULES,
  CallRequest,
  REPLACE_ERRORS,
  ReplaceRequest,
  SUBMIT_ERRORS,
  TRANSFER_ERRORS,
  TRANSFER_RULES,
  TransferRequest,
  UPGRADE_ERRORS,
  UPGRADE_RULES,
  UpgradeRequest,
} from './transactionFields';
import { APPROVAL_ERRORS, Challenge } from './users';

/**
 * Transactions that a user has to approve (spec: Transactions; api-facts 4, 5). What they ask for is checked when they
 * are made, and again after the approval; the transaction's id is then in the challenge's `correlationIds`.
 */
export const userTransactions = {
  createUserTransfer: endpoint({
    method: 'POST',
    path: '/user/transactions/transfer',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: TransferRequest.meta({ title: 'CreateTransferTransactionForEndUserRequest' }),
    response: Challenge,
    rules: TRANSFER_RULES,
    errors: [...TRANSFER_ERRORS, ...SUBMIT_ERRORS, ...APPROVAL_ERRORS],
    summary: 'Opens a challenge to send tokens from a wallet of the user',
  }),
  createUserContractExecution: endpoint({
    method: 'POST',
    path: '/user/transactions/contractExecution',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    // The spec gives this name, and an earlier one that it replaced.
    body: CallRequest.meta({ title: 'CreateContractExecutionTransactionForEndUserRequest' }),
    response: Challenge,
    rules: CALL_RULES,
    errors: [...CALL_ERRORS, ...SUBMIT_ERRORS, ...APPROVAL_ERRORS],
    summary: 'Opens a challenge to call a contract from a wallet of the user',
  }),
  createUserWalletUpgrade: endpoint({
    method: 'POST',
    path: '/user/transactions/walletUpgrade',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: UpgradeRequest.meta({ title: 'CreateWalletUpgradeTransactionForEndUserRequest' }),
    response: Challenge,
    rules: UPGRADE_RULES,
    errors: [...UPGRADE_ERRORS, ...SUBMIT_ERRORS, ...APPROVAL_ERRORS],
    summary: 'Opens a challenge to move a smart-contract wallet of the user to a newer core',
  }),
  accelerateUserTransaction: replacement('accelerate', 'Opens a challenge to raise the fee of a sent transaction'),
  cancelUserTransaction: replacement('cancel', 'Opens a challenge to try to cancel a transaction; costs gas'),
};

function replacement(verb: 'accelerate' | 'cancel', summary: string) {
  return endpoint({
    method: 'POST',
    path: `/user/transactions/{id}/${verb}`,
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    params: idParams,
    body: ReplaceRequest,
    response: Challenge,
    errors: [...REPLACE_ERRORS, ...APPROVAL_ERRORS],
    summary,
  });
}
