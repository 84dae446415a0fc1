import type { FiatCurrency } from '../../domain/ramp';
import type { Cancel } from '../kit/clock';
import { Table } from '../kit/table';
import type { Account } from '../ledger/ledger';
import type { RampQuote, RampSession } from '../ledger/resources';
import type { TradingPair } from './markets';
import type { Drift } from './rates';

declare module '../world/world' {
  interface World {
    /** Quotes and sessions for buying and selling USDC. */
    readonly ramp: RampState;
  }
}

export interface QuoteRow {
  readonly id: string;
  readonly resource: RampQuote;
  readonly pair: TradingPair;
  /** What the customer pays: fiat (BUY) or USDC (SELL), base units. */
  readonly customerAmount: bigint;
  readonly expiresAt: Date;
}

/** The customer's identity check. The API reports it in webhooks only. */
export type KycStatus = 'none' | 'submitted' | 'approved' | 'rejected';

export interface SessionRow {
  readonly id: string;
  resource: RampSession;
  /** The pairs from which the customer can choose; exactly one if the session has a quote. */
  readonly pairs: readonly TradingPair[];
  /** The requested amount; the actual deposit may differ. */
  readonly customerAmount: bigint | undefined;
  /** The quote that the customer confirmed, or that priced the deposit. */
  quote?: QuoteRow | undefined;
  kyc: KycStatus;
  /** The deposited USDC of a sale: the account that holds it, and the address that sent it. */
  deposited?: { account: Account; from: string; units: bigint };
  /** USDC was sent to the customer and is not final yet. */
  payoutPending: boolean;
  /** Cancels the expiry. */
  timer?: Cancel;
}

/** The ramp data of a world. */
export class RampState {
  readonly quotes = new Table<QuoteRow>();
  readonly sessions = new Table<SessionRow>();
  /** Every `refId` that was used; a second use is `110703`. */
  readonly refIds = new Set<string>();
  readonly drifts = new Map<FiatCurrency, Drift>();
}
