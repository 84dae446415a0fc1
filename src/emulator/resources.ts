import type { z } from 'zod';
import type { rampQuote, rampSession } from '../api/contract/ramp';
import type {
  contractResource,
  eventLog,
  eventMonitor,
  token,
  transaction,
  transactionFee,
  wallet,
  walletSet,
} from '../api/contract/resources';
import type { Blockchain } from '../domain/chains';
import type { RampBlockchain, RampStatus, RampType } from '../domain/ramp';
import type { TransactionState } from '../domain/transactionState';

type Known<R, K> = Omit<R, keyof K> & K;

/** The API's resources as the emulator makes them: blockchains and states are known ones. */
export type WalletSet = z.output<typeof walletSet>;
export type Wallet = Known<z.output<typeof wallet>, { blockchain: Blockchain }>;
export type Token = Known<z.output<typeof token>, { blockchain: Blockchain }>;
export type Transaction = Known<z.output<typeof transaction>, { blockchain: Blockchain; state: TransactionState }>;
export type TransactionFee = z.output<typeof transactionFee>;
export type RampQuote = z.output<typeof rampQuote>;
export type RampSession = Known<
  z.output<typeof rampSession>,
  { rampType: RampType; status: RampStatus; walletAddress: RampAddress; transaction?: RampTransaction }
>;
type RampTransaction = NonNullable<z.output<typeof rampSession>['transaction']>;
interface RampAddress {
  blockchain: RampBlockchain;
  address: string;
  addressTag?: string | undefined;
}
export type Contract = Known<z.output<typeof contractResource>, { blockchain: Blockchain }>;
export type EventMonitor = Known<z.output<typeof eventMonitor>, { blockchain: Blockchain }>;
export type EventLog = Known<z.output<typeof eventLog>, { blockchain: Blockchain }>;
