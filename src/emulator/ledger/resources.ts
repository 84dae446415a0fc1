import type { z } from 'zod';
import type { rampQuote, rampSession } from '../../api/contract/ramp';
import type {
  contractResource,
  eventLog,
  eventMonitor,
  token,
  transaction,
  wallet,
  walletSet,
} from '../../api/contract/resources';
import type { Blockchain } from '../../domain/chains';
import type { RampBlockchain, RampStatus, RampType } from '../../domain/ramp';
import type { TransactionState } from '../../domain/transactionState';

type Narrowed<R, K> = Omit<R, keyof K> & K;

/** The API's resources as the emulator creates them: enums have only the values that the emulator uses. */
export type WalletSet = z.output<typeof walletSet>;
export type Wallet = Narrowed<z.output<typeof wallet>, { blockchain: Blockchain }>;
export type Token = Narrowed<z.output<typeof token>, { blockchain: Blockchain }>;
export type Transaction = Narrowed<z.output<typeof transaction>, { blockchain: Blockchain; state: TransactionState }>;
export type RampQuote = z.output<typeof rampQuote>;
export type RampSession = Narrowed<
  z.output<typeof rampSession>,
  { rampType: RampType; status: RampStatus; walletAddress: RampAddress; transaction?: RampTransaction }
>;
type RampTransaction = NonNullable<z.output<typeof rampSession>['transaction']>;
interface RampAddress {
  blockchain: RampBlockchain;
  address: string;
  addressTag?: string | undefined;
}
export type Contract = Narrowed<z.output<typeof contractResource>, { blockchain: Blockchain }>;
export type EventMonitor = Narrowed<z.output<typeof eventMonitor>, { blockchain: Blockchain }>;
export type EventLog = Narrowed<z.output<typeof eventLog>, { blockchain: Blockchain }>;
