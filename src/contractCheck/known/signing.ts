import type { KnownDifference } from '../knownDifferences';

export const SIGNING_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['POST /v1/w3s/developer/sign/*', 'POST /v1/w3s/user/sign/*'],
    part: 'body',
    kind: 'extra',
    at: ['walletAddress', 'blockchain'],
    reason: 'newer than the documents: the official SDK sends them instead of walletId',
  },
  {
    endpoints: ['POST /v1/w3s/developer/sign/*', 'POST /v1/w3s/user/sign/*'],
    part: 'body',
    kind: 'optional',
    at: ['walletId'],
    reason: 'an address with its blockchain can replace it',
  },
];
