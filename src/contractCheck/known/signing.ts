import type { Known } from '../settle';

export const SIGNING_KNOWN: readonly Known[] = [
  {
    endpoints: ['POST /v1/w3s/developer/sign/*', 'POST /v1/w3s/user/sign/*'],
    part: 'body',
    kind: 'extra',
    at: ['walletAddress', 'blockchain'],
    reason: 'newer than the documents: the official SDK sends them in place of walletId (api-facts 6)',
  },
  {
    endpoints: ['POST /v1/w3s/developer/sign/*', 'POST /v1/w3s/user/sign/*'],
    part: 'body',
    kind: 'optional',
    at: ['walletId'],
    reason: 'an address with its blockchain does as well',
  },
];
