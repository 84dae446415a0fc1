import type { KnownDifference } from '../knownDifferences';

const NEW_CHAINS = ['ARC', 'ARC-TESTNET', 'MONAD', 'MONAD-TESTNET'];
const NEW_CHAINS_REASON = 'blockchain newer than the documents';
const OMITTED_REASON = 'always present, although the documents do not require it';

export const EVERYWHERE_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['*'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain', 'blockchains[]'],
    values: NEW_CHAINS,
    reason: NEW_CHAINS_REASON,
  },
  { endpoints: ['*'], part: 'query', kind: 'extra', at: ['blockchain'], values: NEW_CHAINS, reason: NEW_CHAINS_REASON },
  {
    endpoints: ['*'],
    part: 'response',
    kind: 'extra',
    at: ['*.blockchain'],
    values: NEW_CHAINS,
    reason: NEW_CHAINS_REASON,
  },
  { endpoints: ['*'], part: 'response', kind: 'required', at: ['data'], reason: OMITTED_REASON },
];
