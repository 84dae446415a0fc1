import type { KnownDifference } from '../knownDifferences';

const STATES = ['PENDING_RISK_SCREENING', 'WAITING', 'STUCK'];
const OTHER_STATES = 'missing in the documents: an old state that the SDK still has, and newer states';
const WITH_STATE = ['data.state', '*.state'];

export const TRANSACTIONS_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['GET /v1/w3s/transactions'],
    part: 'query',
    kind: 'extra',
    at: ['state'],
    values: STATES,
    reason: OTHER_STATES,
  },
  { endpoints: ['*'], part: 'response', kind: 'extra', at: WITH_STATE, values: STATES, reason: OTHER_STATES },
  {
    endpoints: ['*'],
    part: 'response',
    kind: 'extra',
    at: ['*.estimatedFee.l1Fee', 'data.low.l1Fee', 'data.medium.l1Fee', 'data.high.l1Fee'],
    reason: 'newer than the documents',
  },
  {
    endpoints: ['GET /v1/w3s/transactions/{id}', 'POST /v1/w3s/developer/transactions/{id}/accelerate'],
    part: 'response',
    kind: 'required',
    at: ['data.transaction', 'data.id'],
    reason: 'always present, although the documents do not require it',
  },
  {
    endpoints: ['POST /v1/w3s/transactions/contractDeployment/estimateFee'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'in the API reference',
  },
  {
    endpoints: ['GET /v1/w3s/transactions/lowestNonceTransaction', 'GET /v1/w3s/developer/transactions/feeParameters'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'newer than the documents: called by the official SDK',
  },
  {
    endpoints: ['GET /v1/w3s/transactions', 'GET /v1/w3s/transactions/{id}'],
    part: 'response',
    kind: 'extra',
    at: ['*.transactionScreeningEvaluation.reasons[].signalSource'],
    reason: 'the screening of addresses and of transactions share one shape',
  },
  {
    endpoints: ['*/transfer', '*/transfer/estimateFee', '*/contractExecution/estimateFee'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain'],
    values: ['SOL', 'SOL-DEVNET', 'NEAR', 'NEAR-TESTNET', 'EVM', 'EVM-TESTNET', 'APTOS', 'APTOS-TESTNET'],
    reason: 'unsupported blockchains have their own codes (155510, 155220, 155225)',
  },
  {
    endpoints: ['*/transactions/transfer', '*/transactions/contractExecution', '*/transactions/walletUpgrade'],
    part: 'body',
    kind: 'extra',
    at: ['sourceAddress', 'walletAddress'],
    reason: 'the API reference accepts an address instead of walletId; the official SDK uses another name for it',
  },
  {
    endpoints: ['*/transactions/contractExecution', '*/transactions/walletUpgrade'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain'],
    reason: 'accompanies an address that replaces walletId',
  },
  {
    endpoints: ['*/transactions/transfer', '*/transactions/contractExecution', '*/transactions/walletUpgrade'],
    part: 'body',
    kind: 'optional',
    at: ['walletId'],
    reason: 'an address with its blockchain can replace it (155244)',
  },
  {
    endpoints: ['*/transactions/transfer'],
    part: 'body',
    kind: 'required',
    at: ['amounts'],
    reason: 'a transfer without an amount moves nothing (155221)',
  },
];
