import type { Actor } from './actor';
import type { InputRequestName } from './inputRequests';
import type { Sealed } from './sealed';
import type { TransactionFacts } from './transactionFacts';

/**
 * Names and shapes of the messages of flows and sessions: one definition for workflows, handles, gateway and CLI. A
 * message under a name that only one side knows would be lost without an error.
 */
export const QUERIES = { progress: 'progress' } as const;
export const UPDATES = { decide: 'decide', provide: 'provide', cancel: 'cancel', approval: 'approval' } as const;
/** The Updates that need a verified actor. `approval` changes nothing, so it needs no verified actor. */
export type MessageName = 'decide' | 'provide' | 'cancel';
/** What an actor does to a flow. Each needs a token. */
export type ActorAction = 'start' | MessageName;
/** The scope that the actor's token must have. */
export const SCOPES: Record<ActorAction, string> = {
  start: 'walletflow:start',
  decide: 'walletflow:decide',
  provide: 'walletflow:provide',
  cancel: 'walletflow:cancel',
};
/** The field that the token of a start or a message is sealed for. */
export const TOKEN_FIELD = 'by.token';

/**
 * - `stateChanged`    from the gateway: a state that a webhook reported, to a flow (`TransactionUpdate`) or to a session
 *                     (`ChallengeUpdate`)
 * - `sessionRequest`  from a flow to its user's session (`SessionRequest`)
 * - `sessionMessage`  from the session to a flow: a response, or a restriction of the user (`SessionMessage`)
 * - `laneRequest`     from a flow to the lane of a wallet (`LaneRequest`)
 * - `laneRefusal`     from an activity to a lane: other transactions of the wallet prevent a new one (`LaneRefusal`)
 * - `laneMessage`     from a lane to a flow (`LaneMessage`)
 */
export const SIGNALS = {
  stateChanged: 'stateChanged',
  sessionRequest: 'sessionRequest',
  sessionMessage: 'sessionMessage',
  laneRequest: 'laneRequest',
  laneRefusal: 'laneRefusal',
  laneMessage: 'laneMessage',
} as const;

/** The state of a transaction, as a signed webhook reported it. The transaction's `refId` names the flow. */
export interface TransactionUpdate extends TransactionFacts {
  notificationId: string;
}

/** The end of a user's challenge, as a signed webhook reported it. The user id names the session. */
export interface ChallengeUpdate {
  notificationId: string;
  id: string;
  userId: string;
  type: string;
  /** `COMPLETE` or `FAILED`. The API reports an expired challenge as failed, with the code 155121. */
  status: string;
  correlationIds: string[];
  errorCode?: number;
}

/** The initiator of a flow or the sender of a message, not verified yet: a JWT, sealed for that flow. */
export interface SealedBearerToken {
  token: Sealed;
}

export interface DecideRequest {
  choice: string;
  /** `id` of the attention that the choice is for. Empty if the sender saw none. */
  attention: string;
  by: SealedBearerToken;
}

export interface ProvideRequest {
  name: InputRequestName;
  /** The fields of `INPUT_REQUESTS[name]`, with secrets sealed. */
  data: object;
  by: SealedBearerToken;
}

/** The flow has accepted an input from this actor. */
export interface ProvideResult {
  name: InputRequestName;
  by: Actor;
}

export interface CancelRequest {
  by: SealedBearerToken;
}

/**
 * Whether a cancellation can still take effect (docs/architecture.md#the-point-of-no-return):
 *
 * - `accepted`   no request is in flight; the flow ends `cancelled`
 * - `undecided`  a request is in flight, the user can still approve, or the flow asks the API to cancel the transaction:
 *                that decides the flow's outcome
 * - `tooLate`    the flow has passed its point of no return, the API can no longer cancel, and the flow continues to its end
 */
export type CancelResult = 'accepted' | 'undecided' | 'tooLate';
