import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ApprovalCredentialsRequest, SealedApprovalCredentials } from '../../src/domain/approvalCredentials';
import type { Decision } from '../../src/domain/attention';
import {
  type CancelRequest,
  type CancelResult,
  type ChallengeUpdate,
  type DecideRequest,
  type ProvideRequest,
  type ProvideResult,
  QUERIES,
  SIGNALS,
  type TransactionUpdate,
  UPDATES,
} from '../../src/domain/messages';
import type { Progress } from '../../src/domain/progress';
import type { NumberedMessage, SessionProgress, SessionRequest } from '../../src/domain/userSession';
import type { LaneMessage, LaneProgress, LaneRefusal, LaneRequest } from '../../src/domain/walletLane';

export const progressQuery = defineQuery<Progress>(QUERIES.progress);
export const decideUpdate = defineUpdate<Decision, [DecideRequest]>(UPDATES.decide);
export const provideUpdate = defineUpdate<ProvideResult, [ProvideRequest]>(UPDATES.provide);
export const cancelUpdate = defineUpdate<CancelResult, [CancelRequest]>(UPDATES.cancel);
/** From the user's session to a flow. */
export const sessionMessageSignal = defineSignal<[NumberedMessage]>(SIGNALS.sessionMessage);
/** From the gateway to a flow. */
export const transactionUpdateSignal = defineSignal<[TransactionUpdate]>(SIGNALS.stateChanged);
/** From a flow to the user's session. */
export const sessionRequestSignal = defineSignal<[SessionRequest]>(SIGNALS.sessionRequest);
/** From the gateway to a user's session. */
export const challengeUpdateSignal = defineSignal<[ChallengeUpdate]>(SIGNALS.stateChanged);
export const sessionProgressQuery = defineQuery<SessionProgress>(QUERIES.progress);
/** From a flow to the lane of a wallet. */
export const laneRequestSignal = defineSignal<[LaneRequest]>(SIGNALS.laneRequest);
/** From an activity to a lane. */
export const laneRefusalSignal = defineSignal<[LaneRefusal]>(SIGNALS.laneRefusal);
/** From a lane to a flow. */
export const laneMessageSignal = defineSignal<[LaneMessage]>(SIGNALS.laneMessage);
export const laneProgressQuery = defineQuery<LaneProgress>(QUERIES.progress);
/** Handled by a flow while its user logs in, and by the session while a challenge is open. */
export const approvalCredentialsUpdate = defineUpdate<SealedApprovalCredentials, [ApprovalCredentialsRequest]>(
  UPDATES.approval,
);
