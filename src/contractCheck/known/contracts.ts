import type { KnownDifference } from '../knownDifferences';

const AVALANCHE = ['AVAX', 'AVAX-FUJI'];
const NO_CONTRACTS = ['SOL', 'SOL-DEVNET', 'NEAR', 'NEAR-TESTNET', 'EVM', 'EVM-TESTNET', 'APTOS', 'APTOS-TESTNET'];
const EVERY_CHAIN = 'has contracts; only the documents for wallets list it';

export const CONTRACTS_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['POST /v1/w3s/contracts/*', 'POST /v1/w3s/templates/*'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain'],
    values: AVALANCHE,
    reason: EVERY_CHAIN,
  },
  {
    endpoints: ['GET /v1/w3s/contracts*'],
    part: 'query',
    kind: 'extra',
    at: ['blockchain'],
    values: AVALANCHE,
    reason: EVERY_CHAIN,
  },
  {
    endpoints: ['* /v1/w3s/contracts*'],
    part: 'response',
    kind: 'extra',
    at: ['*.blockchain'],
    values: [...AVALANCHE, ...NO_CONTRACTS],
    reason: 'all responses share one list of blockchains, which is open',
  },
  {
    endpoints: ['POST /v1/w3s/contracts/import'],
    part: 'body',
    kind: 'extra',
    at: ['refreshVerification'],
    reason: 'newer than the documents: the official SDK sends it',
  },
  {
    endpoints: ['POST /v1/w3s/contracts/deploy', 'POST /v1/w3s/contracts/deploy/estimateFee'],
    part: 'body',
    kind: 'optional',
    at: ['bytecode'],
    reason: 'its absence has its own code (155243)',
  },
  {
    endpoints: ['POST /v1/w3s/templates/{id}/deploy*'],
    part: 'body',
    kind: 'missing',
    at: ['templateParameters.*'],
    reason: 'parameters differ by template, and the template checks them (175201 and following)',
  },
  {
    endpoints: ['POST /v1/w3s/contracts/deploy/estimateFee', 'POST /v1/w3s/templates/{id}/deploy/estimateFee'],
    part: 'response',
    kind: 'extra',
    at: ['data.callGasLimit', 'data.verificationGasLimit', 'data.preVerificationGas'],
    reason: 'as in every other estimate, for smart-contract wallets',
  },
];
