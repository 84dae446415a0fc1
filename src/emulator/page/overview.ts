import type { ChallengeView, DeviceView, EndedChallengeView, MailView, UserView } from './overviewOfPeople.js';
import type { RampSessionView, TravelRuleView, VaspView } from './overviewOfCounterparties.js';
import type { SettingView } from './overviewOfSettings.js';

/** What the page shows of a world, in one answer: `GET /emulator/overview`. */
export interface Overview {
  /** All of the emulator, to choose from. */
  worlds: WorldView[];
  clock: { now: string; speed: number };
  /** Those that wait for their user. */
  challenges: Newest<ChallengeView>;
  /** How the latest of the others ended. */
  endedChallenges: EndedChallengeView[];
  users: Newest<UserView>;
  mails: Newest<MailView>;
  /** Where a login at an SSO provider has been begun. */
  devices: Newest<DeviceView>;
  travelRule: Newest<TravelRuleView>;
  vasps: VaspView[];
  rampSessions: Newest<RampSessionView>;
  wallets: Newest<WalletView>;
  transactions: Newest<TransactionView>;
  faults: { id: string; struck: number; operation?: string; action: object }[];
  settings: SettingView[];
}

/** As many as the page shows, the newest first, and how many there are. */
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
