import type { Known } from '../settle';

const STATES = ['PENDING_RISK_SCREENING', 'WAITING', 'STUCK'];
const OTHER_STATES =
  'states that the documents lack: an old one that the SDK still names, and newer ones (api-facts 4)';
const WITH_STATE = ['data.state', '*.state'];

export const TRANSACTIONS_KNOWN: readonly Known[] = [
  {
    endpoints: ['GET /v1/w3s/transactions'],
    part: 'query',
    kind: 'extra',
    at: ['state'],
    values: STATES,
    reason: OTHER_STATES,
  },
  { endpoints: ['*'], part: 'answer', kind: 'extra', at: WITH_STATE, values: STATES, reason: OTHER_STATES },
  {
    endpoints: ['*'],
    part: 'answer',
    kind: 'extra',
    at: ['*.estimatedFee.l1Fee', 'data.low.l1Fee', 'data.medium.l1Fee', 'data.high.l1Fee'],
    reason: 'newer than the documents (api-facts 4)',
  },
  {
    endpoints: ['GET /v1/w3s/transactions/{id}', 'POST /v1/w3s/developer/transactions/{id}/accelerate'],
    part: 'answer',
    kind: 'required',
    at: ['data.transaction', 'data.id'],
    reason: 'always there; the documents leave out to say so',
  },
  {
    endpoints: ['POST /v1/w3s/transactions/contractDeployment/estimateFee'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'in the specification',
  },
  {
    endpoints: ['GET /v1/w3s/transactions/lowestNonceTransaction', 'GET /v1/w3s/developer/transactions/feeParameters'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'newer than the documents: called by the official SDK (api-facts 14)',
  },
  {
    endpoints: ['GET /v1/w3s/transactions', 'GET /v1/w3s/transactions/{id}'],
    part: 'answer',
    kind: 'extra',
    at: ['*.transactionScreeningEvaluation.reasons[].signalSource'],
    reason: 'one shape for the screening of addresses and transactions',
  },
  {
    endpoints: ['*/transfer', '*/transfer/estimateFee', '*/contractExecution/estimateFee'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain'],
    values: ['SOL', 'SOL-DEVNET', 'NEAR', 'NEAR-TESTNET', 'EVM', 'EVM-TESTNET', 'APTOS', 'APTOS-TESTNET'],
    reason: 'a blockchain on which it is not possible has codes of its own (155510, 155220, 155225)',
  },
  {
    endpoints: ['*/transactions/transfer', '*/transactions/contractExecution', '*/transactions/walletUpgrade'],
    part: 'body',
    kind: 'extra',
    at: ['sourceAddress', 'walletAddress'],
    reason: 'the specification takes an address in place of walletId, the official SDK under another name',
  },
  {
    endpoints: ['*/transactions/contractExecution', '*/transactions/walletUpgrade'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain'],
    reason: 'goes with the address',
  },
  {
    endpoints: ['*/transactions/transfer', '*/transactions/contractExecution', '*/transactions/walletUpgrade'],
    part: 'body',
    kind: 'optional',
    at: ['walletId'],
    reason: 'an address with its blockchain does as well (155244)',
  },
  {
    endpoints: ['*/transactions/transfer'],
    part: 'body',
    kind: 'required',
    at: ['amounts'],
    reason: 'a transfer without an amount moves nothing (155221)',
  },
];
