import type { Known } from '../settle';

const CHAINS_SINCE = ['ARC', 'ARC-TESTNET', 'MONAD', 'MONAD-TESTNET'];
const NEWER_CHAINS = 'blockchains that the API has since (api-facts 3)';
const LEFT_OUT = 'always there; the documents leave out to say so';

export const EVERYWHERE_KNOWN: readonly Known[] = [
  {
    endpoints: ['*'],
    part: 'body',
    kind: 'extra',
    at: ['blockchain', 'blockchains[]'],
    values: CHAINS_SINCE,
    reason: NEWER_CHAINS,
  },
  { endpoints: ['*'], part: 'query', kind: 'extra', at: ['blockchain'], values: CHAINS_SINCE, reason: NEWER_CHAINS },
  { endpoints: ['*'], part: 'answer', kind: 'extra', at: ['*.blockchain'], values: CHAINS_SINCE, reason: NEWER_CHAINS },
  { endpoints: ['*'], part: 'answer', kind: 'required', at: ['data'], reason: LEFT_OUT },
];
