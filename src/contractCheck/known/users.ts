import type { KnownDifference } from '../knownDifferences';

export const USERS_KNOWN: readonly KnownDifference[] = [
  {
    endpoints: ['POST /v1/w3s/users/resendOTP', 'POST /v1/w3s/user/token/refresh'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'paths in the API reference; the contract also has the paths of the documents',
  },
];
