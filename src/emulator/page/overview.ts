/** What the page shows of a world, in one answer: `GET /emulator/overview`. */
export interface Overview {
  clock: { now: string; speed: number };
  /** The newest; `walletCount` says how many there are. */
  wallets: WalletView[];
  walletCount: number;
  /** The newest; `transactionCount` says how many there are. */
  transactions: TransactionView[];
  transactionCount: number;
  faults: { id: string; struck: number; operation?: string; action: object }[];
}

export interface WalletView {
  id: string;
  address: string;
  blockchain: string;
  state: string;
  accountType?: string;
  name?: string;
  refId?: string;
  /** Of a user-controlled wallet. */
  userId?: string;
  balances: { label: string; amount: string }[];
  /** What can be sent to it. */
  tokens: { id: string; symbol: string }[];
}

export interface TransactionView {
  id: string;
  state: string;
  transactionType: string;
  operation?: string;
  blockchain: string;
  /** `1.5 USDC`; empty where nothing moves. */
  amount: string;
  sourceAddress?: string;
  destinationAddress?: string;
  txHash?: string;
  refId?: string;
  errorReason?: string;
  createDate: string;
  /** Controls that are open to it now. */
  controls: TransactionControl[];
}

export type TransactionControl = 'stick' | 'fail' | 'deny';

/** A world of the emulator, as the page lets one choose. */
export interface WorldView {
  /** Stands for the API key in `X-Emulator-World`. */
  id: string;
  kind: 'test' | 'live';
  /** The key without its secret. */
  name: string;
}
