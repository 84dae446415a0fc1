/**
 * The tables of the API's specification. Tests compare contract, catalogue and emulator with them. Paths are relative
 * to `/v1/w3s`, except those below `/v2`, and in the spelling of the specification.
 */

/** `METHOD path`, by table of the section "Endpoints". */
export const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  'Wallets, tokens, configuration': [
    'POST /developer/wallets',
    'GET /developer/wallets',
    'GET /developer/wallets/{id}',
    'PUT /developer/wallets/{id}/blockchains/{blockchain}',
    'POST /user/wallets',
    'GET /wallets',
    'GET /wallets/{id}/balances',
    'GET /wallets/{id}/nfts',
    'GET /tokens/{id}',
    'GET /config/entity',
    'GET /config/entity/monitoredTokens',
    'POST /config/entity/monitoredTokens',
    'PUT /config/entity/monitoredTokens',
    'POST /faucet/drips',
  ],
  Transactions: [
    'GET /transactions',
    'GET /transactions/{id}',
    'POST /transactions/validateAddress',
    'POST /transactions/transfer/estimateFee',
    'POST /transactions/contractExecution/estimateFee',
    'POST /transactions/contractDeployment/estimateFee',
    'POST /developer/transactions/transfer',
    'POST /developer/transactions/contractExecution',
    'POST /user/transactions/transfer',
    'POST /user/transactions/contractExecution',
  ],
  Signing: [
    'POST /user/sign/transaction',
    'POST /user/sign/message',
    'POST /user/sign/typedData',
    'POST /developer/sign/transaction',
    'POST /developer/sign/message',
    'POST /developer/sign/typedData',
    'POST /developer/sign/delegateAction',
  ],
  'Users and challenges': [
    'POST /users',
    'GET /users',
    'GET /users/{id}',
    'POST /users/token',
    'POST /users/social/token',
    'POST /users/email/token',
    'POST /users/resendOTP',
    'POST /user/token/refresh',
    'POST /user/initialize',
    'GET /user',
    'POST /user/pin',
    'PUT /user/pin',
    'POST /user/pin/restore',
    'GET /user/challenges',
    'GET /user/challenges/{id}',
  ],
  Contracts: [
    'GET /contracts',
    'POST /contracts/import',
    'POST /contracts/deploy',
    'POST /contracts/deploy/estimateFee',
    'PATCH /contracts/{id}',
    'POST /templates/{id}/deploy',
    'POST /templates/{id}/deploy/estimateFee',
    'GET /contracts/monitors',
    'POST /contracts/monitors',
    'PUT /contracts/monitors/{id}',
    'DELETE /contracts/monitors/{id}',
    'GET /contracts/events',
  ],
  Compliance: [
    'POST /compliance/screening/addresses',
    'POST /compliance/travelRule/eligibilityCheck',
    'POST /compliance/travelRule/messages',
    'POST /compliance/travelRule/receivePii',
    'POST /compliance/travelRule/sendPii',
    'POST /compliance/travelRule/uploadOwnershipProof',
    'POST /compliance/travelRule/validityCheck',
    'PUT /compliance/travelRule/{travelRuleId}',
  ],
  Ramp: ['POST /ramp/sessions', 'GET /ramp/sessions', 'GET /ramp/tradeConfigurations', 'POST /ramp/quotes'],
  'Cross-chain attestation API': [
    'GET /v2/publicKeys',
    'GET /v2/messages/:sourceDomainId',
    'POST /v2/reattest/:nonce',
    'GET /v2/fastBurn/<token>/allowance',
    'GET /v2/fastBurn/<token>/fees/:sourceDomainId/:destDomainId',
  ],
};

/** Requests per second, from the section "Limits". */
export const GET_LIMIT = 20;
export const POST_LIMIT = 5;
export const TEN_LIMIT = 10;

/** The endpoints with `TEN_LIMIT`. */
export const TEN_A_SECOND: readonly string[] = [
  'POST /developer/wallets',
  'PUT /developer/wallets/{id}/blockchains/{blockchain}',
  'POST /transactions/transfer/estimateFee',
  'POST /transactions/contractExecution/estimateFee',
  'POST /users/token',
  'POST /user/sign/transaction',
  'POST /user/sign/message',
  'POST /user/sign/typedData',
  'POST /developer/sign/transaction',
  'POST /developer/sign/message',
  'POST /developer/sign/typedData',
  'POST /developer/sign/delegateAction',
];

/** HTTP status → codes, by table of the section "Errors". */
export const CODES: Readonly<Record<string, Readonly<Record<number, readonly number[]>>>> = {
  User: {
    400: [
      155110, 155111, 155112, 155113, 155114, 155115, 155117, 155118, 155119, 155120, 155130, 155131, 155133, 155134,
      155135, 155136, 155137, 155138, 155139, 155140, 155141, 155142, 155143, 155144, 155146,
    ],
    401: [155103],
    403: [155104, 155105, 155121, 155122, 155123, 155124],
    404: [155102, 155116, 155132, 155145],
    409: [155101, 155106, 155107, 155108, 155109],
  },
  'Authentication configuration': {
    400: [155151, 155154, 155156, 155157],
    404: [155150, 155152, 155155],
  },
  Transaction: {
    400: [
      155201, 155202, 155203, 155204, 155205, 155206, 155207, 155208, 155209, 155210, 155211, 155215, 155218, 155219,
      155220, 155221, 155223, 155224, 155225, 155226, 155227, 155228, 155229, 155230, 155231, 155232, 155233, 155234,
      155235, 155236, 155237, 155238, 155239, 155240, 155241, 155242, 155243, 155244, 155245, 155247, 155264,
    ],
    404: [155222],
  },
  Wallet: {
    400: [155503, 155504, 155505, 155506, 155507, 155509, 155510, 155511, 155515],
    403: [155502],
    404: [155512],
    409: [155501],
  },
  'Wallet set': {
    400: [155601],
  },
  'Transaction signing': {
    400: [155801, 155802, 155803, 155804, 155805, 155806, 155807, 155808],
  },
  Shared: {
    400: [156004, 156006, 156008, 156009, 156013, 156014, 156017, 156024, 156025, 156026, 156027, 156030],
    401: [156007],
    403: [156016, 156018, 156019, 156020],
    404: [156001, 156002, 156003, 156005, 156010, 156011, 156012],
    409: [156015, 156021, 156023],
  },
  'Compliance Engine screening': {
    400: [280001, 280002],
  },
};

/** Errors that the specification names, some without an HTTP status. */
export const NAMES: Readonly<Record<number, string>> = {
  155806: 'SignTransactionRawTransactionTooLarge',
  175301: 'EXT_EVENT_SUBSCRIPTION_NOT_FOUND',
  175302: 'EXT_EVENT_SUBSCRIPTION_ALREADY_EXISTS',
  175303: 'EXT_EVENT_SIGNATURE_DOES_NOT_EXIST',
};

/** `[code, HTTP status]` of every code with a status. */
export const STATUSES: readonly (readonly [code: number, status: number])[] = Object.values(CODES).flatMap((table) =>
  Object.entries(table).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
);

/** All codes, including those without a status. */
export const ALL_CODES: readonly number[] = [
  ...new Set([...STATUSES.map(([code]) => code), ...Object.keys(NAMES).map(Number)]),
];

/** All endpoints, with `{}` in place of each parameter. */
export const ALL_ENDPOINTS: readonly string[] = Object.values(ENDPOINTS).flat().map(unnamed);

/** `GET /v2/messages/:sourceDomainId` → `GET /v2/messages/{}` */
export function unnamed(endpoint: string): string {
  return endpoint.replaceAll(/:\w+|<\w+>|\{\w+\}/g, '{}');
}
