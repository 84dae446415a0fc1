import type { RampSessionView, TravelRuleView, VaspView } from './counterpartyViews.js';
import type { SettingView } from './settingViews.js';
import type { ChallengeView, DeviceView, EndedChallengeView, MailView, UserView } from './userViews.js';

/** Everything that the page shows of a world: the response of `GET /emulator/overview`. */
export interface Overview {
  /** All worlds of the emulator, for the selection. */
  worlds: WorldView[];
  clock: { now: string; speed: number };
  /** Pending challenges. */
  challenges: Newest<ChallengeView>;
  /** The latest challenges that are not pending. */
  endedChallenges: EndedChallengeView[];
  users: Newest<UserView>;
  mails: Newest<MailView>;
  /** Devices with a social login in progress. */
  devices: Newest<DeviceView>;
  travelRule: Newest<TravelRuleView>;
  vasps: VaspView[];
  rampSessions: Newest<RampSessionView>;
  wallets: Newest<WalletView>;
  transactions: Newest<TransactionView>;
  faults: { id: string; struck: number; operation?: string; action: object }[];
  settings: SettingView[];
}

/** The views that the page shows, newest first, and the number of all. */
export interface Newest<View> {
  shown: View[];
  count: number;
}

export interface WalletView {
  id: string;
  address: string;
  blockchain: string;
  state: string;
  accountType?: string;
  name?: string;
  refId?: string;
  /** Only for user-controlled wallets. */
  userId?: string;
  balances: { label: string; amount: string }[];
  /** Tokens that can be sent to the wallet. */
  tokens: { id: string; symbol: string }[];
}

export interface TransactionView {
  id: string;
  state: string;
  transactionType: string;
  operation?: string;
  blockchain: string;
  /** `1.5 USDC`; empty if no tokens move. */
  amount: string;
  sourceAddress?: string;
  destinationAddress?: string;
  txHash?: string;
  refId?: string;
  errorReason?: string;
  createDate: string;
  /** Controls that are available now. */
  controls: TransactionControl[];
}

export type TransactionControl = 'stick' | 'fail' | 'deny';

/** A world of the emulator, for the selection on the page. */
export interface WorldView {
  /** Value of `X-Emulator-World`, which replaces the API key. */
  id: string;
  kind: 'test' | 'live';
  /** The API key without its secret. */
  name: string;
}
