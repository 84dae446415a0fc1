import { z } from 'zod';
import { FEE_LEVELS } from '../../domain/policy';
import { TRANSACTION_STATES, type TransactionState } from '../../domain/transactionState';
import { blockchain, openEnum, orNull, rows, timestamp } from './schema';
import { screeningDecision } from './screening';

/**
 * Shapes of the API's resources in responses (docs/api-behavior.md#blockchains-wallets-and-tokens,
 * docs/api-behavior.md#transactions).
 */

export const TOKEN_STANDARDS = [
  'ERC20',
  'ERC721',
  'ERC1155',
  'Fungible',
  'FungibleAsset',
  'NonFungible',
  'NonFungibleEdition',
  'ProgrammableNonFungible',
  'ProgrammableNonFungibleEdition',
] as const;
export const ACCOUNT_TYPES = ['EOA', 'SCA'] as const;
export const SCA_CORES = [
  'circle_4337_v1',
  'circle_6900_singleowner_v1',
  'circle_6900_singleowner_v2',
  'circle_6900_singleowner_v3',
] as const;
/** Cores that a wallet can be upgraded to. */
export const UPGRADE_CORES = ['circle_6900_singleowner_v2'] as const;
export const CUSTODY_TYPES = ['DEVELOPER', 'ENDUSER'] as const;
export const TRANSACTION_TYPES = ['INBOUND', 'OUTBOUND'] as const;
export const OPERATIONS = ['TRANSFER', 'CONTRACT_EXECUTION', 'CONTRACT_DEPLOYMENT'] as const;

export const USER_STATUSES = ['ENABLED', 'DISABLED'] as const;
/** Statuses of a PIN and of security questions. */
export const INPUT_STATUSES = ['ENABLED', 'UNSET', 'LOCKED'] as const;
export const CHALLENGE_STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETE', 'FAILED', 'EXPIRED'] as const;
export const CHALLENGE_TYPES = [
  'INITIALIZE',
  'SET_PIN',
  'CHANGE_PIN',
  'SET_SECURITY_QUESTIONS',
  'RESTORE_PIN',
  'CREATE_WALLET',
  'CREATE_TRANSACTION',
  'ACCELERATE_TRANSACTION',
  'CANCEL_TRANSACTION',
  'CONTRACT_EXECUTION',
  'WALLET_UPGRADE',
  'SIGN_MESSAGE',
  'SIGN_TYPEDDATA',
  'SIGN_TRANSACTION',
] as const;

const dated = { createDate: timestamp, updateDate: timestamp };

export const walletSet = z.object({
  id: z.string(),
  custodyType: openEnum(CUSTODY_TYPES).optional(),
  userId: z.string().optional(),
  name: z.string().optional(),
  ...dated,
});

export const wallet = z.object({
  id: z.string(),
  address: z.string(),
  blockchain,
  custodyType: openEnum(CUSTODY_TYPES),
  state: openEnum(['LIVE', 'FROZEN']),
  walletSetId: z.string(),
  accountType: openEnum(ACCOUNT_TYPES).optional(),
  scaCore: openEnum(SCA_CORES).optional(),
  name: z.string().optional(),
  refId: orNull(z.string()),
  userId: orNull(z.string()),
  /** NEAR chains only. */
  initialPublicKey: z.string().optional(),
  ...dated,
});

export const token = z.object({
  id: z.string(),
  blockchain,
  isNative: z.boolean(),
  name: z.string().optional(),
  symbol: z.string().optional(),
  standard: orNull(openEnum(TOKEN_STANDARDS)),
  decimals: z.number().int().optional(),
  tokenAddress: orNull(z.string()),
  ...dated,
});

export const tokenBalance = z.object({ amount: z.string(), token, updateDate: timestamp });
export const nft = z.object({
  amount: z.string(),
  metadata: z.string().optional(),
  nftTokenId: z.string().optional(),
  token,
  updateDate: timestamp,
});

export const walletWithBalances = wallet.extend({ tokenBalances: rows(tokenBalance) });

/** Fees per unit of gas in gwei, totals in native tokens; all decimal strings. */
export const transactionFee = z.object({
  gasLimit: z.string().optional(),
  gasPrice: z.string().optional(),
  maxFee: z.string().optional(),
  priorityFee: z.string().optional(),
  baseFee: z.string().optional(),
  /** The most that the transaction can cost, in native tokens. */
  networkFee: z.string().optional(),
  networkFeeRaw: z.string().optional(),
  l1Fee: z.string().optional(),
});

const gasPrices = transactionFee.pick({ gasPrice: true, maxFee: true, priorityFee: true, baseFee: true });
export const feeParameters = z.object({
  low: gasPrices.optional(),
  medium: gasPrices.optional(),
  high: gasPrices.optional(),
});

export const feeEstimate = z.object({
  low: transactionFee.optional(),
  medium: transactionFee.optional(),
  high: transactionFee.optional(),
  callGasLimit: z.string().optional(),
  verificationGasLimit: z.string().optional(),
  preVerificationGas: z.string().optional(),
});

export const transaction = z.object({
  id: z.string(),
  blockchain,
  state: openEnum(Object.keys(TRANSACTION_STATES) as [TransactionState, ...TransactionState[]]),
  transactionType: openEnum(TRANSACTION_TYPES),
  operation: openEnum(OPERATIONS).optional(),
  custodyType: openEnum(CUSTODY_TYPES).optional(),
  walletId: z.string().optional(),
  userId: z.string().optional(),
  sourceAddress: z.string().optional(),
  destinationAddress: z.string().optional(),
  contractAddress: z.string().optional(),
  tokenId: z.string().optional(),
  amounts: orNull(z.array(z.string())),
  amountInUSD: z.string().optional(),
  /** JSON texts, whose content is not published. */
  nfts: orNull(z.array(z.unknown())),
  abiFunctionSignature: z.string().optional(),
  abiParameters: orNull(z.array(z.unknown())),
  feeLevel: openEnum(FEE_LEVELS).optional(),
  estimatedFee: transactionFee.optional(),
  networkFee: z.string().optional(),
  networkFeeInUSD: z.string().optional(),
  txHash: orNull(z.string()),
  /** Only for a transaction of a smart-contract wallet. */
  userOpHash: z.string().optional(),
  blockHash: orNull(z.string()),
  blockHeight: orNull(z.number().int()),
  firstConfirmDate: orNull(timestamp),
  refId: z.string().optional(),
  errorReason: orNull(z.string()),
  errorDetails: orNull(z.string()),
  transactionScreeningEvaluation: orNull(screeningDecision),
  ...dated,
});

/** The number of wrong entries, and the lock that follows them. */
const inputDetails = z.object({
  failedAttempts: z.number().int().optional(),
  lockedDate: timestamp.optional(),
  lockedExpiryDate: timestamp.optional(),
  /** When the lock was last lifted early. */
  lastLockOverrideDate: orNull(timestamp),
});

/** All fields are optional, as the official SDK declares them. */
export const user = z.object({
  id: z.string().optional(),
  createDate: timestamp.optional(),
  status: openEnum(USER_STATUSES).optional(),
  pinStatus: openEnum(INPUT_STATUSES).optional(),
  securityQuestionStatus: openEnum(INPUT_STATUSES).optional(),
  pinDetails: inputDetails.optional(),
  securityQuestionDetails: inputDetails.optional(),
});

export const challenge = z.object({
  id: z.string(),
  /** May be empty. */
  type: openEnum(CHALLENGE_TYPES).or(z.literal('')),
  status: openEnum(CHALLENGE_STATUSES),
  /** Ids of what it created: wallets, or the transaction. */
  correlationIds: orNull(z.array(z.string())),
  /** 0 for a complete challenge. */
  errorCode: orNull(z.number().int()),
  /** Empty for a complete challenge. */
  errorMessage: orNull(z.string()),
});

export const CONTRACT_INPUT_TYPES = ['IMPORT', 'BYTECODE', 'TEMPLATE', 'AUTO_IMPORT'] as const;
export const CONTRACT_STATUSES = ['PENDING', 'FAILED', 'COMPLETE'] as const;
export const VERIFICATION_STATUSES = ['UNVERIFIED', 'VERIFIED'] as const;

/** A parameter of a function or event, as in the contract's ABI. */
const abiParameter = z.object({
  name: z.string().optional(),
  type: z.string().optional(),
  indexed: z.boolean().optional(),
  components: z.array(z.unknown()).optional(),
  flattenedType: z.string().optional(),
});
const abiFunction = z.object({
  type: z.string(),
  name: z.string().optional(),
  stateMutability: z.string().optional(),
  inputs: z.array(abiParameter).optional(),
  outputs: z.array(abiParameter).optional(),
});
const abiEvent = z.object({
  type: z.string(),
  name: z.string().optional(),
  anonymous: z.boolean().optional(),
  inputs: z.array(abiParameter).optional(),
});

/** A contract that the entity has imported or deployed (docs/api-behavior.md#contracts-and-event-monitors). */
export const contractResource = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  blockchain,
  /** Absent until the deployment is sent. */
  contractAddress: orNull(z.string()),
  contractInputType: openEnum(CONTRACT_INPUT_TYPES),
  status: openEnum(CONTRACT_STATUSES),
  verificationStatus: openEnum(VERIFICATION_STATUSES),
  archived: z.boolean(),
  /** JSON text; absent if the ABI is not known. */
  abiJson: z.string().optional(),
  bytecode: z.string().optional(),
  deployerAddress: z.string().optional(),
  deployerWalletID: z.string().optional(),
  deployerUserID: z.string().optional(),
  deploymentTransactionId: z.string().optional(),
  deploymentErrorReason: z.string().optional(),
  deploymentErrorDetails: z.string().optional(),
  txHash: orNull(z.string()),
  metadataLink: z.string().optional(),
  /** Absent, like the next two, until the deployment is complete. */
  sourceCode: orNull(z.array(z.object({ fileName: z.string().optional(), fileContent: z.string() }))),
  functions: orNull(z.array(abiFunction)),
  events: orNull(z.array(abiEvent)),
  /** The contract behind a proxy. */
  implementationContract: z.looseObject({}).optional(),
  ...dated,
});

export const eventMonitor = z.object({
  id: z.string(),
  blockchain,
  contractAddress: z.string(),
  /** Name and types: `Transfer(address,address,uint256)`. */
  eventSignature: z.string(),
  /** keccak256 of the signature: the first topic. */
  eventSignatureHash: z.string(),
  isEnabled: z.boolean(),
  ...dated,
});

export const eventLog = z.object({
  id: z.string(),
  blockchain,
  contractAddress: z.string(),
  txHash: z.string(),
  /** Empty if the transaction is not a user operation. */
  userOpHash: z.string(),
  blockHash: z.string(),
  blockHeight: z.number().int(),
  /** Position in the block, as text. */
  logIndex: z.string(),
  eventSignature: z.string(),
  eventSignatureHash: z.string(),
  topics: z.array(z.string()),
  /** Hex. */
  data: z.string(),
  firstConfirmDate: timestamp,
});
