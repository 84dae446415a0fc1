import type { TransactionFacts } from './transactionFacts';
import type { Person } from './person';
import type { ProvisionName } from './provisions';
import type { Sealed } from './sealed';

/** Names and shapes of what flows hear: one definition for workflows, handles, gateway and CLI (field case WF-02). */
export const QUERIES = { progress: 'progress' } as const;
export const UPDATES = { decide: 'decide', provide: 'provide', cancel: 'cancel', approval: 'approval' } as const;
/** What people say; the rest of the Updates is said by backends. */
export type MessageName = 'decide' | 'provide' | 'cancel';
/** What a token has to allow, by what its owner says. */
export const SCOPES: Record<MessageName, string> = {
  decide: 'walletflow:decide',
  provide: 'walletflow:provide',
  cancel: 'walletflow:cancel',
};
/** Field of the seal's context of a token that comes with a message. */
export const TOKEN_FIELD = 'by.token';

/**
 * - `news`     what a webhook told, to a flow (`TransactionNews`) or a session (`ChallengeNews`)
 * - `ask`      a flow's request to its user's session (`SessionRequest`)
 * - `session`  the session's answer, and what keeps the user from approving (`SessionTelling`)
 */
export const SIGNALS = { news: 'news', ask: 'ask', session: 'session' } as const;

/** A transaction's state as a signed webhook told it; `refId` named the flow. */
export interface TransactionNews extends TransactionFacts {
  notificationId: string;
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

/** Somebody who is still to be verified: a JWT, sealed for the flow that it is sent to. */
export interface Bearer {
  token: Sealed;
}

export interface DecideRequest {
  choice: string;
  by: Bearer;
}

export interface ProvideRequest {
  what: ProvisionName;
  /** Fields of `PROVISIONS[what]`, the secret ones sealed. */
  data: object;
  by: Bearer;
}

/** What a flow has taken, and from whom. */
export interface Provided {
  what: ProvisionName;
  by: Person;
}

export interface CancelRequest {
  by: Bearer;
}

/**
 * - `accepted`: nothing had been sent; the flow ends `cancelled`
 * - `undecided`: a request was in flight; its outcome decides, and the flow's outcome tells
 * - `tooLate`: past the point of no return; the flow goes on to its truthful end
 */
export type CancelAnswer = 'accepted' | 'undecided' | 'tooLate';
