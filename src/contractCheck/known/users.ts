import type { Known } from '../settle';

export const USERS_KNOWN: readonly Known[] = [
  {
    endpoints: ['POST /v1/w3s/users/resendOTP', 'POST /v1/w3s/user/token/refresh'],
    part: 'endpoint',
    kind: 'extra',
    reason: 'paths of the specification; the spellings of the documents are there too (api-facts 15)',
  },
];
