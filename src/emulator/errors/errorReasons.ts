/** Why a paymaster refuses to pay for a smart-contract wallet. */
export const PAYMASTER_REASONS = [
  'PAYMASTER_POLICY_NOT_ACTIVATED',
  'PAYMASTER_POLICY_EXCEED_MAX_DAILY_TRANSACTIONS',
  'PAYMASTER_POLICY_EXCEED_MAX_SPEND_USD_PER_TX',
  'PAYMASTER_POLICY_EXCEED_MAX_SPEND_USD_DAILY',
  'PAYMASTER_POLICY_EXCEED_MAX_NATIVE_TOKEN_DAILY',
  'PAYMASTER_POLICY_SENDER_IN_BLOCKLIST',
  'PAYMASTER_ENTITY_RESTRICTION',
] as const;

/** Why a transaction ends `FAILED`. The API's field is plain text and may hold other reasons. */
export const ERROR_REASONS = [
  'ESTIMATION_ERROR',
  'INSUFFICIENT_NATIVE_TOKEN',
  'ABI_SIGNATURE_PARAMS_MISMATCH',
  'FEE_EXCEEDS_MAX_ALLOWANCE',
  'QUERY_NFT_METADATA_ERROR',
  'GAS_LIMIT_TOO_LOW',
  'TRANSACTION_UNDER_PRICE',
  'FAILED_ON_CHAIN',
  'FAILED_REORG',
  'INTERNAL_ERROR',
  ...PAYMASTER_REASONS,
] as const;
export type ErrorReason = (typeof ERROR_REASONS)[number];

/** Reasons of a transaction that failed inside a block: it still pays its fee. */
export const IN_BLOCK: ReadonlySet<string> = new Set<ErrorReason>(['FAILED_ON_CHAIN', 'GAS_LIMIT_TOO_LOW']);
