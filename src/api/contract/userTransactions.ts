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
 * Transactions that a user has to approve (docs/api-behavior.md#transactions). The API checks a request when it opens
 * the challenge, and again after the approval. The challenge's `correlationIds` then hold the transaction's id.
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
    // The name in the API reference, which replaced an earlier one.
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
    summary: 'Opens a challenge to upgrade a smart-contract wallet of the user to a newer core',
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
