/** What a backend imports: starts flows and asks how they do. Never loads the worker's native module. */
export { connectFlows } from './flows/connectFlows';
export { openFlows, type FlowApi, type Flows, type FlowsOptions } from './flows/connect';
export * from './flows/errors';
export type { FlowHandle, MessageOptions } from './flows/handle';
export type { FlowSummary, ListFilter } from './flows/list';
export { FLOWS, type FlowName, type InputOf, type ResultOf } from './flows/registry';
export { FlowEventError, type FlowEventProblem, type RequestHeaders, verifyFlowEvent } from './flows/verifyFlowEvent';
export { PRIORITIES, type Priority, type StartInput, type StartOptions } from './flows/starter';
export type { ChangePinInput, ChangePinResult } from './flows/changePin';
export type { FundTestnetInput, FundTestnetResult } from './flows/fundTestnet';
export type { OnboardUserInput, OnboardUserResult } from './flows/onboardUser';
export type { OnboardedWallet, UserWalletsInput } from './flows/userWallets';
export type { SignPayloadInput, SignPayloadResult } from './flows/signPayload';
export type { LateEvaluation, TransferInput, TransferResult } from './flows/transfer';
export type { SessionHandle } from './flows/session';
export type { Approval, ChallengeApproval, LoginApproval } from './domain/approval';
export type { Attention, Decision, DecisionOption } from './domain/attention';
export type {
  AttentionClosed,
  AttentionOpened,
  DecisionMade,
  Ended,
  FlowEvent,
  FlowEventData,
  FlowEventOf,
  FlowEventType,
  Reminder,
} from './domain/flowEvent';
export type { CancelAnswer, Provided } from './domain/messages';
export type { Person } from './domain/person';
export type { Outcome, OutcomeStatus } from './domain/outcome';
export type { Message, Progress, Resources, StepProgress } from './domain/progress';
export {
  PROVISIONS,
  type Asked,
  type ProvisionField,
  type ProvisionInput,
  type ProvisionName,
} from './domain/provisions';
export type { SessionProgress, UserBlock } from './domain/userSession';
