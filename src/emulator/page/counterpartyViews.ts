export interface TravelRuleView {
  id: string;
  transactionType: string;
  status: string;
  /** `5000 USDC`. */
  amount: string;
  originAddress?: string;
  destinationAddress: string;
  /** Name of the VASP at the other end. */
  vasp?: string;
  reason?: string;
  createDate: string;
  /** What the other VASP does without a control. */
  behaviour: string;
  /** Names of the controls that are available now: `accept`, `silent`. */
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
  /** The address that receives bought USDC or holds sold USDC. */
  address: string;
  /** The address to which sold USDC must be sent. */
  depositAddress?: string;
  /** `1000.00 USD`; empty until known. */
  fiat: string;
  crypto: string;
  txHash?: string;
  createDate: string;
  /** Controls that are available now. */
  controls: RampControl[];
  /** The unit in which the customer pays, and the default amount of a deposit. */
  deposit: { unit: string; amount?: string };
}

export type RampControl = 'submit' | 'approve' | 'reject' | 'deposit' | 'complete' | 'fail' | 'expire';
