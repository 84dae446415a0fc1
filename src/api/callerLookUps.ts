import type { FlowEffect } from '../domain/activityTable';
import type { Contract, MutatingOperation, OperationId } from './contract';

/**
 * How a caller finds out what a request did whose reply was lost. Texts are parts of sentences, for docs/exactly-once.md
 * and the help of `walletflow api`.
 */
export interface CallerLookUp {
  /** What in the request, besides an idempotency key, shows in what it makes. */
  naturalKey?: string;
  /**
   * Of an operation without an idempotency key: what the API answers when the same request is sent again after it was
   * executed; a number is a code.
   */
  repeated?: number | 'the same answer' | 'do not send it again';
  /** The reads that show the effect. Empty: the API shows nothing of it. */
  reads: readonly OperationId[];
  /** How the reads recognize the effect. */
  recognizedBy: string;
  /** What the caller continues with. */
  adopted: string;
  /** The command of Walletflow that calls the operation, besides `walletflow api`. */
  command?: string;
}

type Row<Id extends MutatingOperation> = Contract[Id] extends { idempotency: 'key' }
  ? CallerLookUp & { repeated?: never }
  : CallerLookUp & { repeated: CallerLookUp['repeated'] };

const SENT = {
  naturalKey: '`refId`',
  reads: ['listTransactions'],
  recognizedBy: "the wallet's outbound transactions (`walletIds`, `txType=OUTBOUND`, `includeAll`): the `refId`",
  adopted: 'the transaction',
} as const satisfies CallerLookUp;

const opened = (type: string) =>
  ({
    reads: ['listUserChallenges'],
    recognizedBy: `an open \`${type}\` challenge that was not listed before the request; another program can have opened it, so send one request of a user at a time`,
    adopted: 'the challenge',
  }) as const satisfies CallerLookUp;

const DEPLOYED = {
  ...SENT,
  adopted: 'the transaction; `listContracts` shows the contract, by its `name` and its deployer',
} as const satisfies CallerLookUp;

const DERIVED = {
  reads: ['listDeveloperWallets'],
  recognizedBy: 'a wallet with the same `address` on the other `blockchain`',
  adopted: 'the wallet',
  repeated: 'the same answer',
} as const satisfies CallerLookUp;

/**
 * One row for each operation that changes something at the API and that no flow calls. An operation without a row here or
 * in `LOOK_UPS` (src/domain/lookUps.ts) does not compile, and neither does one with a row in both.
 */
export const CALLER_LOOK_UPS = {
  registerEntitySecret: {
    reads: [],
    recognizedBy: '`156015` says that a secret is registered, but not which',
    adopted:
      'the secret, if a request with its ciphertext succeeds; its recovery file is lost until the secret is rotated',
    repeated: 156015,
    command: 'walletflow entity register-secret',
  },
  createWalletSet: {
    naturalKey: '`id`, if the caller chooses one',
    reads: ['getWalletSet'],
    recognizedBy: 'the `id`',
    adopted: 'the wallet set',
  },
  createWallets: {
    naturalKey: '`refId` in `metadata`',
    reads: ['listDeveloperWallets'],
    recognizedBy: '`walletSetId` and `refId`',
    adopted: 'the wallets',
  },
  deriveWallet: { ...DERIVED, naturalKey: 'the `id` of the wallet, and `blockchain`' },
  deriveWalletByAddress: { ...DERIVED, naturalKey: '`walletAddress`, `sourceBlockchain` and `targetBlockchain`' },
  createWalletUpgrade: SENT,
  createUserWalletUpgrade: opened('WALLET_UPGRADE'),
  screenAddress: {
    reads: [],
    recognizedBy: 'nothing: only the lost reply had the decision',
    adopted: 'nothing: screen the address again with a new key; a screening moves nothing',
  },
  sendPii: {
    naturalKey: '`refId`',
    reads: ['listTravelRuleMessages'],
    recognizedBy: '`customerJurisdiction`, `transactionType=OUTBOUND` and `refId`',
    adopted: 'the message',
  },
  uploadOwnershipProof: {
    reads: [],
    recognizedBy: 'nothing: no call lists proofs',
    adopted: 'nothing: upload the proof again with a new key; the latest proof of an address counts',
  },
  updateTravelRuleMessage: {
    naturalKey: 'the `travelRuleId`',
    reads: ['listTravelRuleMessages'],
    recognizedBy: 'the message with this id: the `status` and the `txHash` of the request',
    adopted: 'the message',
  },
  createSubscription: {
    naturalKey: '`endpoint`',
    reads: ['listSubscriptions'],
    recognizedBy: 'the `endpoint` and the `notificationTypes`',
    adopted: 'the subscription; `walletflow setup` looks before it subscribes, so run it again',
    repeated: 'do not send it again',
    command: 'walletflow setup',
  },
  deleteSubscription: {
    naturalKey: 'the `id` of the subscription',
    reads: ['listSubscriptions'],
    recognizedBy: 'no subscription with this id',
    adopted: 'the deletion',
    repeated: 404,
    command: 'walletflow setup',
  },
  createRampSession: {
    naturalKey: '`refId`; without one, the API makes a second session',
    reads: ['listRampSessions'],
    recognizedBy: 'the `refId`',
    adopted: 'the session',
    repeated: 110703,
  },
  requestReattestation: {
    naturalKey: 'the `nonce`',
    reads: ['getAttestationMessages'],
    recognizedBy: 'the message of this nonce: it becomes final',
    adopted: 'the message; once it is final, the API answers 400',
    repeated: 'the same answer',
  },
  importContract: {
    naturalKey: '`address` and `blockchain` (`175004` with another key)',
    reads: ['listContracts'],
    recognizedBy: 'the address and the blockchain',
    adopted: 'the contract',
  },
  deployContract: DEPLOYED,
  updateContract: {
    naturalKey: 'the `id` of the contract',
    reads: ['getContract'],
    recognizedBy: 'the `name`, the `description` and `archived` of the request',
    adopted: 'the contract; the API refuses to archive it twice (`175006`)',
    repeated: 'the same answer',
  },
  deployContractTemplate: DEPLOYED,
  createEventMonitor: {
    naturalKey: '`contractAddress`, `blockchain` and `eventSignature` (`175302` with another key)',
    reads: ['listEventMonitors'],
    recognizedBy: 'the contract, the blockchain and the event',
    adopted: 'the monitor',
  },
  updateEventMonitor: {
    naturalKey: 'the `id` of the monitor',
    reads: ['listEventMonitors'],
    recognizedBy: '`isEnabled` of the monitor with this id',
    adopted: 'the monitor',
    repeated: 'the same answer',
  },
  deleteEventMonitor: {
    naturalKey: 'the `id` of the monitor',
    reads: ['listEventMonitors'],
    recognizedBy: 'no monitor with this id',
    adopted: 'the deletion; its event logs stay',
    repeated: 175301,
  },
} as const satisfies { [Id in Exclude<MutatingOperation, FlowEffect>]: Row<Id> };

export type CallerOperation = keyof typeof CALLER_LOOK_UPS;

/** The row of an operation that changes something and that no flow calls; undefined for every other operation. */
export function findCallerLookUp(id: OperationId): CallerLookUp | undefined {
  return (CALLER_LOOK_UPS as Partial<Record<OperationId, CallerLookUp>>)[id];
}

/** What the API answers to the same request, sent again after it was executed. */
export function answerAgain({ repeated }: CallerLookUp): string {
  if (repeated === undefined) return 'the first answer, or `156020`';
  return typeof repeated === 'number' ? `\`${repeated}\`` : repeated;
}
