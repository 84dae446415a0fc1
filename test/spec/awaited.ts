/**
 * What is of the specification and not here yet; compared exactly, so that what arrives has to be taken out. Both lists are
 * empty when all is there.
 */

/** Endpoints, in the spelling of `tables.ts`. */
export const AWAITED_ENDPOINTS: readonly string[] = [
  // Wallets, tokens, configuration
  'POST /user/wallets',
  // Transactions
  'POST /user/transactions/transfer',
  'POST /user/transactions/contractExecution',
  // Signing
  'POST /user/sign/transaction',
  'POST /user/sign/message',
  'POST /user/sign/typedData',
  // Users and challenges
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
  // Contracts
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
  // Compliance
  'POST /compliance/screening/addresses',
  'POST /compliance/travelRule/eligibilityCheck',
  'POST /compliance/travelRule/messages',
  'POST /compliance/travelRule/receivePii',
  'POST /compliance/travelRule/sendPii',
  'POST /compliance/travelRule/uploadOwnershipProof',
  'POST /compliance/travelRule/validityCheck',
  'PUT /compliance/travelRule/{travelRuleId}',
  // Ramp
  'POST /ramp/sessions',
  'GET /ramp/sessions',
  'GET /ramp/tradeConfigurations',
  'POST /ramp/quotes',
];

/** Codes that no test earns, by table. */
export const AWAITED_CODES: readonly number[] = [
  // User
  155101, 155102, 155103, 155104, 155105, 155106, 155107, 155108, 155109, 155110, 155111, 155112, 155113, 155114,
  155115, 155116, 155117, 155118, 155119, 155120, 155121, 155122, 155123, 155124, 155130, 155131, 155132, 155133,
  155134, 155135, 155136, 155137, 155138, 155139, 155140, 155141, 155142, 155143, 155144, 155145, 155146,
  // Authentication configuration
  155150, 155151, 155152, 155154, 155155, 155156, 155157,
  // Transaction
  155201, 155202, 155203, 155204, 155205, 155206, 155207, 155208, 155209, 155210, 155211, 155215, 155218, 155219,
  155220, 155221, 155222, 155223, 155224, 155225, 155226, 155227, 155228, 155229, 155230, 155231, 155232, 155233,
  155234, 155235, 155236, 155237, 155238, 155239, 155240, 155241, 155242, 155243, 155244, 155245, 155247, 155264,
  // Wallet
  155501, 155502, 155503, 155504, 155505, 155506, 155507, 155509, 155510, 155511, 155512, 155515,
  // Wallet set
  155601,
  // Transaction signing
  155801, 155802, 155803, 155804, 155805, 155806, 155807, 155808,
  // Shared
  156001, 156002, 156003, 156004, 156006, 156007, 156008, 156009, 156010, 156011, 156012, 156013, 156014, 156015,
  156016, 156017, 156018, 156019, 156020, 156021, 156023, 156024, 156025, 156026, 156027, 156030,
  // Compliance Engine screening
  280001, 280002,
  // Event monitoring
  175301, 175302, 175303,
];
