import type { z } from 'zod';
import type { MessageRequest, TransactionRequest, TypedDataRequest } from '../../api/contract/signingFields';
import type { CallRequest, TransferRequest, UpgradeRequest } from '../../api/contract/transactionFields';
import type { Blockchain } from '../../domain/chains';
import { Table } from '../kit/table';
import type { AttemptQuota } from './attemptQuota';
import type { EntryLock } from './entryLock';

declare module '../world/world' {
  interface World {
    /** Users, their tokens, devices and challenges. */
    readonly users: UserStore;
  }
}

/** How a user authenticates: with a PIN for each approval, or with a login, after which approvals need no entry. */
export type Login =
  { kind: 'pin' } | { kind: 'email'; email: string } | { kind: 'social'; provider: string; account: string };

export interface Question {
  question: string;
  answer: string;
}

export interface UserRow {
  /** The `userId`. For users with a PIN the integrator chose it. */
  readonly id: string;
  /** UUID for paging cursors, since user ids are not UUIDs. */
  readonly cursor: string;
  readonly login: Login;
  readonly createDate: string;
  status: 'ENABLED' | 'DISABLED';
  /** Whether the user has approved an `INITIALIZE` challenge. */
  initialized: boolean;
  pin: string | undefined;
  readonly pinLock: EntryLock;
  /** Empty until they are set. They can be set once. */
  questions: readonly Question[];
  readonly answersLock: EntryLock;
  /** The user's own wallet set, created with the first wallet. */
  walletSetId: string | undefined;
}

export interface UserTokenRow {
  /** `jti` of the token. */
  readonly id: string;
  readonly user: UserRow;
  readonly expiresAt: Date;
  /** Key with which the client encrypts approvals; valid with this token only (`155118`). */
  readonly encryptionKey: string;
  /** Present after a login. Valid once, and with this token only. */
  refreshToken: string | undefined;
  /** The device of the login. */
  readonly deviceId: string | undefined;
}

/** The body of a request for user wallets. */
export interface UserWalletRequest {
  blockchains: readonly Blockchain[];
  accountType?: 'EOA' | 'SCA' | undefined;
  metadata?: readonly { name?: string | undefined; refId?: string | undefined }[] | undefined;
}

/** The request behind each type of challenge; `CHALLENGE_ACTIONS` executes it. */
export interface ChallengeRequests {
  INITIALIZE: Partial<UserWalletRequest>;
  SET_PIN: Record<never, never>;
  CHANGE_PIN: Record<never, never>;
  RESTORE_PIN: Record<never, never>;
  SET_SECURITY_QUESTIONS: Record<never, never>;
  CREATE_WALLET: UserWalletRequest;
  CREATE_TRANSACTION: z.output<typeof TransferRequest>;
  CONTRACT_EXECUTION: z.output<typeof CallRequest>;
  WALLET_UPGRADE: z.output<typeof UpgradeRequest>;
  /** The transaction's id. */
  ACCELERATE_TRANSACTION: { id: string };
  CANCEL_TRANSACTION: { id: string };
  SIGN_MESSAGE: z.output<typeof MessageRequest>;
  SIGN_TYPEDDATA: z.output<typeof TypedDataRequest>;
  SIGN_TRANSACTION: z.output<typeof TransactionRequest>;
}

export type ChallengeType = keyof ChallengeRequests;

export interface ChallengeRow<T extends ChallengeType = ChallengeType> {
  readonly id: string;
  readonly user: UserRow;
  readonly type: T;
  readonly request: ChallengeRequests[T];
  status: 'PENDING' | 'IN_PROGRESS' | 'COMPLETE' | 'FAILED' | 'EXPIRED';
  /** Absent if challenges never expire. */
  readonly expiresAt: Date | undefined;
  /** Set when the challenge is complete. */
  correlationIds: string[] | undefined;
  /** Set when the challenge has failed. */
  errorCode: number | undefined;
  errorMessage: string | undefined;
}

export interface DeviceTokenRow {
  /** `jti` of the token. */
  readonly id: string;
  readonly text: string;
  readonly encryptionKey: string;
  /** Lower case. */
  readonly deviceId: string;
  /** Address that receives the login's one-time passwords; absent for a social login. */
  readonly email: EmailRow | undefined;
  readonly expiresAt: Date;
}

/** An email address of a login. Sends and entries are counted per address, across all tokens. */
export interface EmailRow {
  /** The address, lower case. */
  readonly id: string;
  readonly sendQuota: AttemptQuota;
  readonly entryQuota: AttemptQuota;
  /** All one-time passwords that were sent, oldest first. */
  readonly otps: OtpRow[];
}

/** A one-time password that was sent by email. */
export interface OtpRow {
  /** The `otpToken`. */
  readonly id: string;
  readonly value: string;
  readonly email: EmailRow;
  /** The device token of the login. */
  readonly device: DeviceTokenRow;
  readonly expiresAt: Date;
  wrongEntries: number;
  used: boolean;
}

export interface SentMail {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  sentDate: string;
  otpToken: string;
  code: string;
}

/** The users of a world, with their tokens, devices, challenges and emails. */
export class UserStore {
  readonly users = new Table<UserRow>();
  /** Users who log in, by the key that `findOrAddUser` makes. */
  readonly usersByLogin = new Map<string, UserRow>();
  readonly userTokens = new Table<UserTokenRow>();
  readonly challenges = new Table<ChallengeRow>();
  readonly deviceTokens = new Table<DeviceTokenRow>();
  /** The active token of each device, by device id. */
  readonly devices = new Map<string, DeviceTokenRow>();
  readonly emails = new Table<EmailRow>();
  readonly otps = new Table<OtpRow>();
  /** All sent emails, oldest first. */
  readonly mails: SentMail[] = [];
  mailSender = 'no-reply@emulator.example';
  mailTemplate = { subject: 'Your code', body: 'Your code is {{code}}.' };
}
