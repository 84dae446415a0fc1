import type { Known } from '../settle';

/** Entity, monitored tokens, faucet. */
export const CONFIGURATION_KNOWN: readonly Known[] = [
  {
    endpoints: ['POST /v1/w3s/config/entity/entitySecret'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'sent by the official SDK (api-facts 1)',
  },
  {
    endpoints: ['GET /v1/w3s/config/entity', 'GET /v1/w3s/config/entity/publicKey'],
    part: 'answer',
    kind: 'required',
    at: ['data.appId', 'data.publicKey'],
    reason: 'the answer is nothing without it',
  },
  {
    endpoints: ['POST /v1/w3s/faucet/drips'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'path of the specification; the documents have it without w3s',
  },
  {
    endpoints: ['POST /v1/faucet/drips'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain'],
    values: 'ETH AVAX MATIC SOL ARB NEAR NEAR-TESTNET EVM EVM-TESTNET UNI BASE OP APTOS'.split(' '),
    reason: 'a mainnet, and a testnet without a faucet, have codes of their own (156006, 156027)',
  },
];
