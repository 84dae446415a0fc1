import type { FiatCurrency } from '../../domain/ramp';
import type { Cancel } from '../clock';
import type { Account } from '../ledger';
import type { RampQuote, RampSession } from '../resources';
import { Table } from '../table';
import type { Pair } from './markets';
import type { Drift } from './rates';

export interface QuoteRow {
  readonly id: string;
  readonly resource: RampQuote;
  readonly pair: Pair;
  /** What the customer gives: fiat (BUY) or USDC (SELL), base units. */
  readonly given: bigint;
  readonly expiresAt: Date;
}

/** KYC of the customer shows in webhooks only (api-facts 10). */
export type Kyc = 'none' | 'submitted' | 'approved' | 'rejected';

export interface SessionRow {
  readonly id: string;
  resource: RampSession;
  /** What the customer can choose from; a quote leaves one. */
  readonly pairs: readonly Pair[];
  /** What the customer said to give; he may give something else. */
  readonly given: bigint | undefined;
  /** The one that was confirmed, or that the deposit was priced by. */
  quote?: QuoteRow | undefined;
  kyc: Kyc;
  /** The USDC of a sale, where it lies and whose it was. */
  deposited?: { account: Account; from: string; units: bigint };
  /** USDC is on its way to the customer, not final yet. */
  paying: boolean;
  /** Takes the expiry back. */
  timer?: Cancel;
}

/** Everything of the ramp in one world. */
export class Ramp {
  readonly quotes = new Table<QuoteRow>();
  readonly sessions = new Table<SessionRow>();
  /** `refId`s that are used (`110703`). */
  readonly refIds = new Set<string>();
  readonly drifts = new Map<FiatCurrency, Drift>();
}
