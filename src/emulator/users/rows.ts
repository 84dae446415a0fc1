import type { z } from 'zod';
import type { MessageRequest, TransactionRequest, TypedDataRequest } from '../../api/contract/signingFields';
import type { CallRequest, TransferRequest, UpgradeRequest } from '../../api/contract/transactionFields';
import type { Blockchain } from '../../domain/chains';
import { Table } from '../table';
import type { Allowance } from './allowance';
import type { EntryLock } from './entryLock';

/** How a user proves who it is: with a PIN of its own, or with a login, after which it only confirms. */
export type Login =
  { by: 'pin' } | { by: 'email'; email: string } | { by: 'social'; provider: string; account: string };

export interface Question {
  question: string;
  answer: string;
}

export interface UserRow {
  /** The `userId`: the integrator's own for users with a PIN. */
  readonly id: string;
  /** What a paging cursor names it by; user ids are no UUIDs. */
  readonly cursor: string;
  readonly login: Login;
  readonly createDate: string;
  status: 'ENABLED' | 'DISABLED';
  /** An `INITIALIZE` challenge of it was approved. */
  initialized: boolean;
  pin: string | undefined;
  readonly pinLock: EntryLock;
  /** Empty until they are set, which is once. */
  questions: readonly Question[];
  readonly answersLock: EntryLock;
  /** Its own wallet set, from its first wallet. */
  walletSetId: string | undefined;
}

export interface UserTokenRow {
  /** `jti` of the token. */
  readonly id: string;
  readonly user: UserRow;
  readonly expiresAt: Date;
  /** What its client encrypts approvals with; good with this token alone (`155118`). */
  readonly encryptionKey: string;
  /** Of a login: good once, and with this token alone. */
  refreshToken: string | undefined;
  /** The device of the login. */
  readonly deviceId: string | undefined;
}

/** What user wallets are asked for with. */
export interface UserWalletRequest {
  blockchains: readonly Blockchain[];
  accountType?: 'EOA' | 'SCA' | undefined;
  metadata?: readonly { name?: string | undefined; refId?: string | undefined }[] | undefined;
}

/** What a challenge of each type was asked for with; the rows of `EFFECTS` carry it out. */
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
  /** Absent where challenges wait for ever. */
  readonly expiresAt: Date | undefined;
  /** When it is complete. */
  correlationIds: string[] | undefined;
  /** When it has failed. */
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
  /** Where the one-time passwords of the login go; absent at an SSO provider. */
  readonly email: EmailRow | undefined;
  readonly expiresAt: Date;
}

/** An address that one-time passwords were sent to. What is counted is counted for it, whatever the tokens. */
export interface EmailRow {
  /** The address, lower case. */
  readonly id: string;
  readonly sends: Allowance;
  readonly entries: Allowance;
  /** All that were sent, oldest first. */
  readonly otps: OtpRow[];
}

/** A one-time password that was mailed. */
export interface OtpRow {
  /** The `otpToken`. */
  readonly id: string;
  readonly value: string;
  readonly email: EmailRow;
  /** The login that it is for. */
  readonly device: DeviceTokenRow;
  readonly expiresAt: Date;
  wrongEntries: number;
  used: boolean;
}

export interface Mail {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  sentDate: string;
  otpToken: string;
  code: string;
}

/** The users of a world and what belongs to them. */
export class People {
  readonly users = new Table<UserRow>();
  /** Users who log in; kept by `userOfLogin`. */
  readonly usersByLogin = new Map<string, UserRow>();
  readonly userTokens = new Table<UserTokenRow>();
  readonly challenges = new Table<ChallengeRow>();
  readonly deviceTokens = new Table<DeviceTokenRow>();
  /** The active token of each device, by device id. */
  readonly devices = new Map<string, DeviceTokenRow>();
  readonly emails = new Table<EmailRow>();
  readonly otps = new Table<OtpRow>();
  /** All mails that were sent, oldest first. */
  readonly mails: Mail[] = [];
  mailSender = 'no-reply@emulator.example';
  mailTemplate = { subject: 'Your code', body: 'Your code is {{code}}.' };
}
