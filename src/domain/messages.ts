import type { Person } from './person';
import type { ProvisionName } from './provisions';

/** Names and shapes of what flows hear: one definition for workflows, handles, gateway and CLI (field case WF-02). */
export const QUERIES = { progress: 'progress' } as const;
export const UPDATES = { decide: 'decide', provide: 'provide', cancel: 'cancel', approval: 'approval' } as const;
/**
 * - `news`     what a webhook told, to a flow (`TransactionNews`) or a session (`ChallengeNews`)
 * - `ask`      a flow's request to its user's session (`SessionRequest`)
 * - `session`  the session's answer, and what keeps the user from approving (`SessionTelling`)
 */
export const SIGNALS = { news: 'news', ask: 'ask', session: 'session' } as const;

/** A transaction's state as a signed webhook told it; `refId` named the flow. */
export interface TransactionNews {
  notificationId: string;
  id: string;
  state: string;
  txHash?: string;
  networkFee?: string;
  errorReason?: string;
  errorDetails?: string;
}

/** The end of a user's challenge as a signed webhook told it; its user named the session. */
export interface ChallengeNews {
  notificationId: string;
  id: string;
  userId: string;
  type: string;
  /** `COMPLETE` or `FAILED`; an expired one is told as failed with 155121. */
  status: string;
  correlationIds: string[];
  errorCode?: number;
}

export interface DecideRequest {
  choice: string;
  by: string;
}

export interface ProvideRequest {
  what: ProvisionName;
  /** Fields of `PROVISIONS[what]`, the secret ones sealed. */
  data: object;
  by: string;
}

/** What a flow has taken, and from whom. */
export interface Provided {
  what: ProvisionName;
  by: Person;
}

export interface CancelRequest {
  by: string;
  reason?: string;
}

/**
 * - `accepted`: nothing had been sent; the flow ends `cancelled`
 * - `undecided`: a request was in flight; its outcome decides, and the flow's outcome tells
 * - `tooLate`: past the point of no return; the flow goes on to its truthful end
 */
export type CancelAnswer = 'accepted' | 'undecided' | 'tooLate';
