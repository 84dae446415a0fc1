/** The package `walletflow`, for backends: starts flows and follows them. It never loads the worker's native module. */

// Connecting, starting, following.
export { connectFlows } from './client/connectFlows';
export * from './client/errors';
export type { DecideOptions, FlowHandle, MessageOptions } from './client/flowHandle';
export {
  type InitiatorOptions,
  PRIORITIES,
  type Priority,
  type StartInput,
  type StartOptions,
} from './client/flowStarter';
export type { FlowPage, FlowSummary, ListPageRequest } from './client/listFlows';
export type { ListFilter } from './client/listQuery';
export { type FlowApi, type Flows, type FlowsOptions, openFlows } from './client/openFlows';
export type { LaneHandle } from './client/laneHandle';
export type { SessionHandle } from './client/sessionHandle';
export { UntrustedAnswerError } from './temporal/untrustedAnswer';

// The inputs and results of flows.
export type { AddUserWalletsInput, AddUserWalletsResult } from './flows/addUserWallets';
export type { ChangePinInput, ChangePinResult } from './flows/changePin';
export type { ExecuteContractInput, ExecuteContractResult } from './flows/executeContract';
export type { FundTestnetInput, FundTestnetResult } from './flows/fundTestnet';
export type { OnboardUserInput, OnboardUserResult } from './flows/onboardUser';
export { type FlowName, FLOWS, type InputOf, type ResultOf, type ShownInputOf } from './flows/registry';
export type { SignPayloadInput, SignPayloadResult } from './flows/signPayload';
export type { LateEvaluation, TransactionResult } from './flows/transactionResult';
export type { TransferInput, TransferResult } from './flows/transfer';
export type { OnboardedWallet, UserWalletsInput } from './flows/userWallets';

// The state of flows and sessions, and messages to them.
export type { Actor } from './domain/actor';
export type { ApprovalCredentials, ChallengeCredentials, LoginCredentials } from './domain/approvalCredentials';
export type { Attention, Decision, DecisionOption, OpenAttention } from './domain/attention';
export type { CallMovement, DecodedCall } from './domain/callMovements';
export { FLOW_STATUSES, type FlowStatus } from './domain/flowStatus';
export {
  INPUT_REQUESTS,
  type InputRequestField,
  type InputRequestName,
  type PendingInputRequest,
  type ProvidedInput,
} from './domain/inputRequests';
export type { Interruption } from './domain/interruption';
export type { CancelResult, ProvideResult } from './domain/messages';
export type { Outcome, OutcomeStatus } from './domain/outcome';
export type { ActorMessage, Progress, Resources, StepProgress } from './domain/progress';
export type { RiskSignal, ScreeningFacts } from './domain/screeningFacts';
export type { SessionProgress, UserRestriction } from './domain/userSession';
export type { HoldState, LaneBlocker, LaneProgress, OutstandingTransaction } from './domain/walletLane';

// Events for the integrator's endpoint.
export { FlowEventError, type FlowEventProblem, type RequestHeaders, verifyFlowEvent } from './client/verifyFlowEvent';
export type {
  AttentionClosed,
  AttentionOpened,
  FlowEnded,
  FlowEvent,
  FlowEventData,
  FlowEventOf,
  FlowEventType,
  RecordedDecision,
  Reminder,
} from './domain/flowEvent';
