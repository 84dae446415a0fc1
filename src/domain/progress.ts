import type { Actor } from './actor';
import type { OpenAttention } from './attention';
import type { DecodedCall } from './callMovements';
import type { PendingInputRequest } from './inputRequests';
import type { Interruption } from './interruption';
import type { MessageName } from './messages';
import type { Outcome } from './outcome';
import type { UserRestriction } from './userSession';

export type StepState = 'active' | 'done' | 'failed';

export interface StepProgress {
  name: string;
  state: StepState;
  /** ISO 8601: when the step reached this state. */
  at: string;
}

/** Ids of what the flow has created or uses in the API, by name: `walletId`, `transactionId`, `txHash` … */
export type Resources = Record<string, string>;

/** A message that the flow has applied, without the data that came with it. */
export interface ActorMessage {
  /** ISO 8601. */
  at: string;
  message: MessageName;
  /** `decide`: the choice. `provide`: the name of the input. */
  detail: string;
  by: Actor;
}

/** The challenge that the flow's user has to approve now. Contains no secrets. */
export interface PendingApproval {
  challengeId: string;
  /** Type of the challenge, such as `CREATE_TRANSACTION`. */
  type: string;
  /** Workflow id of the user's session, which has the tokens for it. */
  session: string;
}

/** Who requested a cancellation, and when. */
export interface PendingCancel {
  by: Actor;
  /** ISO 8601. */
  at: string;
  /** The API could not cancel any more, or a request or approval in flight had its effect. The flow goes on to its end. */
  tooLate?: boolean;
}

/** A problem that the user's app reported and the user can solve. */
export interface UserProblem {
  /** Code of the browser SDK or of the API. */
  code: number;
  name: string;
  remedy: string;
}

/**
 * The current state of a flow: the response to the query `progress`. All times are ISO 8601.
 * @template R the flow's result @template I its input, with a mark in place of each sealed value
 */
export interface Progress<R = unknown, I = unknown> {
  flow: string;
  ref: string;
  entity: string;
  /**
   * What the flow was started with, with its defaults; durations are in milliseconds. A sealed value is shown as
   * `{ sealed: true }`. Absent if no worker responded.
   */
  input?: I;
  /** Who started the flow. Absent if the workers trust no issuer, or have not accepted the token. */
  startedBy?: Actor;
  /** Name and version of the flow's policy, such as `retail-eu@3`. */
  policy?: string;
  /** The active step, or the last one. */
  step?: string;
  steps: StepProgress[];
  /** What the flow waits for, in one line. */
  waitingFor?: string;
  /** When the wait began. */
  since?: string;
  /**
   * A deadline has passed, but the API may still report a final state. The flow has neither failed nor completed, and
   * keeps waiting.
   */
  unresolved?: boolean;
  /** Whether something exists in the API that the flow itself cannot undo. At most, the API can still cancel it. */
  pastPointOfNoReturn: boolean;
  /**
   * A cancellation was requested, and its outcome depends on a request or approval in flight, or on the API. After the
   * end of the flow, present only if it came too late.
   */
  cancelRequested?: PendingCancel;
  resources: Resources;
  /** What the flow's contract call does. Present once the flow has decoded it, before anything is sent. */
  call?: DecodedCall;
  approval?: PendingApproval;
  /** Why the user cannot approve anything now. */
  restriction?: UserRestriction;
  userProblem?: UserProblem;
  attention?: OpenAttention;
  /** The inputs that can be sent with `provide` now. */
  inputRequests?: PendingInputRequest[];
  /** The latest fifty messages. */
  messages?: ActorMessage[];
  outcome?: Outcome<R>;
  /** The flow has ended without an outcome, and what it was doing then is in the other fields. */
  interruption?: Interruption;
  /** When the flow ended. */
  endedAt?: string;
}
