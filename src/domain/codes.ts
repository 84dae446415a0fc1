/** The API's error codes that code of this repository acts on. Names are those of the catalogue (`src/api/errors`). */
export const CODES = {
  // General codes, which name no specific condition.
  somethingWentWrong: -1,
  parameterInvalid: 2,

  // Users.
  userIdTaken: 155101,
  userNotFound: 155102,
  userAlreadyInitialized: 155106,
  pinAlreadySet: 155107,
  userDisabled: 155109,

  // User tokens. A token and its encryption key are issued and renewed as a pair.
  userTokenUnknown: 155103,
  userTokenExpired: 155104,
  userTokenInvalid: 155105,
  encryptionKeyMismatch: 155118,

  // Locks after too many wrong entries.
  pinLocked: 155119,
  securityQuestionsLocked: 155120,

  // Challenges.
  challengeNotFound: 155116,
  challengeExpired: 155121,
  challengeInvalid: 155122,

  // Logins by email or at an SSO provider.
  deviceNotFound: 155113,
  otpTokenExpired: 155130,
  otpTokenInvalid: 155131,
  otpNotFound: 155132,
  otpInvalid: 155133,
  otpTokenMismatch: 155134,
  emailMismatch: 155136,
  deviceIdInvalid: 155137,
  ssoTokenExpired: 155139,
  ssoTokenRejected: 155140,
  otpEntriesExhausted: 155141,
  otpSendsExhausted: 155142,
  deviceTokenExpired: 155143,
  deviceTokenInvalid: 155144,
  deviceTokenNotFound: 155145,
  otpTokenExhausted: 155146,

  // Transactions.
  nonceMismatch: 155202,
  userOperationBeforeDeployment: 155203,
  estimationReverted: 155208,
  abiParametersMismatch: 155209,
  operationUnsupportedForTransaction: 155215,
  nftCountInvalid: 155218,
  destinationAddressInvalid: 155219,
  tokenBlockchainMismatch: 155220,
  amountCountInvalid: 155221,
  amountNotDecimal: 155224,
  tokenIdMissing: 155228,
  transactionNotEligible: 155229,
  executionAmountInvalid: 155245,
  senderQueueFull: 155264,
  transactionNotFound: 156003,

  // Wallets and blockchains.
  walletFrozen: 155501,
  scaFirstTransactionPending: 155505,
  operationUnsupportedOnBlockchain: 155510,
  scaNotDeployed: 155517,
  keyBlockchainMismatch: 156006,
  blockchainUnsupported: 156027,

  // The entity secret, and its ciphertext in a request. Contract endpoints have their own codes for these.
  ciphertextReused: 156004,
  entitySecretInvalid: 156013,
  entitySecretAlreadySet: 156015,
  entitySecretNotSet: 156016,
  entitySecretNeedsRotation: 156019,
  contractTxCiphertextReused: 177602,
  contractTxEntitySecretInvalid: 177604,
  contractTxEntitySecretNotSet: 177605,
  contractTxEntitySecretNeedsRotation: 177606,

  // "Idempotency key must be new". For one of our keys: the API has already received a request with it.
  idempotencyKeyUsed: 156020,
} as const;

/** Codes of the client SDKs for browsers and phones (155701–155721). The API never responds with them. */
export const CLIENT_CODES = {
  /** The user declined. */
  declined: 155701,
} as const;

/** The API no longer accepts the user token, or the token and its encryption key do not match. Both must be renewed. */
export const USER_TOKEN_REFUSALS: ReadonlySet<number> = new Set([
  CODES.userTokenUnknown,
  CODES.userTokenExpired,
  CODES.userTokenInvalid,
  CODES.encryptionKeyMismatch,
]);

/** The user has to wait: PIN or security questions are locked, or one-time passwords were sent or entered too often. */
export const USER_LOCKS: ReadonlySet<number> = new Set([
  CODES.pinLocked,
  CODES.securityQuestionsLocked,
  CODES.otpEntriesExhausted,
  CODES.otpSendsExhausted,
]);

/** The API rejects the entity secret. The API key may still be valid. */
export const ENTITY_SECRET_REFUSALS: ReadonlySet<number> = new Set([
  CODES.entitySecretInvalid,
  CODES.entitySecretNotSet,
  CODES.entitySecretNeedsRotation,
  CODES.contractTxEntitySecretInvalid,
  CODES.contractTxEntitySecretNotSet,
  CODES.contractTxEntitySecretNeedsRotation,
]);
