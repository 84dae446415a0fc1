import type { Attention } from './attention';
import type { MessageName } from './messages';
import type { Outcome } from './outcome';
import type { Person } from './person';
import type { Asked } from './provisions';
import type { UserBlock } from './userSession';

export type StepState = 'active' | 'done' | 'failed';

export interface StepProgress {
  name: string;
  state: StepState;
  /** ISO 8601, when the step came into this state. */
  at: string;
}

/** Ids of what the flow made or uses at the API, by name: `walletId`, `transactionId`, `txHash` … */
export type Resources = Record<string, string>;

/** What a person told the flow, without the data that came with it. */
export interface Message {
  at: string;
  message: MessageName;
  /** The choice, or the name of what was provided. */
  what: string;
  by: Person;
}

/** What the user is to approve now, and who knows the tokens for it. No secrets. */
export interface ApprovalShown {
  challengeId: string;
  /** Such as `CREATE_TRANSACTION`. */
  type: string;
  /** Workflow id of the user's session. */
  session: string;
}

/** Who called the flow back, and when. */
export interface CalledBack {
  by: Person;
  /** ISO 8601. */
  at: string;
}

/** What the user's app reported and the user can mend. */
export interface UserProblem {
  code: number;
  name: string;
  remedy: string;
}

/** How a flow is doing: the answer of the query `progress`, of handles and of the CLI (DESIGN section 4). */
export interface Progress<R = unknown> {
  flow: string;
  ref: string;
  entity: string;
  /** Policy name and version that the flow runs under, e.g. `retail-eu@3`. */
  policy?: string;
  /** The step that is active, or the last one. */
  step?: string;
  steps: StepProgress[];
  /** What the flow waits for, in one line, and since when. */
  waitingFor?: string;
  since?: string;
  /** A deadline has passed while the API has not said its last word: neither failed nor done (DESIGN rule 12). */
  unresolved?: boolean;
  /** From here on the flow cannot be called back (DESIGN rule 9). */
  pastPointOfNoReturn: boolean;
  /** Somebody called it back, and what is under way decides still; absent where that came too late. */
  calledBack?: CalledBack;
  resources: Resources;
  approval?: ApprovalShown;
  /** Why the user can't approve anything now, in the flow's own time. */
  block?: UserBlock;
  userProblem?: UserProblem;
  attention?: Attention;
  /** What can be provided to it now. */
  asks?: Asked[];
  /** What people told it, the newest fifty. */
  messages?: Message[];
  outcome?: Outcome<R>;
  /** ISO 8601, of a flow that has ended. */
  endedAt?: string;
}
