import type { KnownDifference } from '../knownDifferences';

/** Entity, monitored tokens, faucet. */
export const CONFIGURATION_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['POST /v1/w3s/config/entity/entitySecret'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'called by the official SDK',
  },
  {
    endpoints: ['GET /v1/w3s/config/entity', 'GET /v1/w3s/config/entity/publicKey'],
    part: 'response',
    kind: 'required',
    at: ['data.appId', 'data.publicKey'],
    reason: 'the response would be empty without it',
  },
  {
    endpoints: ['POST /v1/w3s/faucet/drips'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'path in the API reference; the documents have it without w3s',
  },
  {
    endpoints: ['POST /v1/faucet/drips'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain'],
    values: 'ETH AVAX MATIC SOL ARB NEAR NEAR-TESTNET EVM EVM-TESTNET UNI BASE OP APTOS'.split(' '),
    reason: 'mainnets and testnets without a faucet have their own codes (156006, 156027)',
  },
];
