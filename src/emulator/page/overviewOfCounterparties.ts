export interface TravelRuleView {
  id: string;
  transactionType: string;
  status: string;
  /** `5000 USDC`. */
  amount: string;
  originAddress?: string;
  destinationAddress: string;
  /** The one at the other end. */
  vasp?: string;
  reason?: string;
  createDate: string;
  /** What the other VASP does by itself. */
  behaviour: string;
  /** Controls that are open to it now, by name: `accept`, `silent`. */
  controls: string[];
}

export interface VaspView {
  id: string;
  name: string;
  jurisdiction: string;
}

export interface RampSessionView {
  id: string;
  rampType: string;
  status: string;
  kyc: string;
  customerRefId?: string;
  refId?: string;
  blockchain: string;
  /** Where bought USDC goes, or where sold USDC comes from. */
  address: string;
  /** Where sold USDC has to be sent. */
  depositAddress?: string;
  /** `1000.00 USD`; empty until it is known. */
  fiat: string;
  crypto: string;
  txHash?: string;
  createDate: string;
  /** Controls that are open to it now. */
  controls: RampControl[];
  /** What the customer pays in, and what a deposit is by default. */
  deposit: { unit: string; amount?: string };
}

export type RampControl = 'submit' | 'approve' | 'reject' | 'deposit' | 'complete' | 'fail' | 'expire';
