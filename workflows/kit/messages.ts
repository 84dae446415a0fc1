import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ApprovalRequest, SealedApproval } from '../../src/domain/approval';
import type { Decision } from '../../src/domain/attention';
import {
  type CancelAnswer,
  type CancelRequest,
  type ChallengeNews,
  type DecideRequest,
  type Provided,
  type ProvideRequest,
  QUERIES,
  SIGNALS,
  type TransactionNews,
  UPDATES,
} from '../../src/domain/messages';
import type { Progress } from '../../src/domain/progress';
import type { SessionProgress, SessionRequest, SessionTelling } from '../../src/domain/userSession';

export const progressQuery = defineQuery<Progress>(QUERIES.progress);
export const decideUpdate = defineUpdate<Decision, [DecideRequest]>(UPDATES.decide);
export const provideUpdate = defineUpdate<Provided, [ProvideRequest]>(UPDATES.provide);
export const cancelUpdate = defineUpdate<CancelAnswer, [CancelRequest]>(UPDATES.cancel);
/** What a flow hears of its user's session. */
export const sessionSignal = defineSignal<[SessionTelling]>(SIGNALS.session);
export const newsSignal = defineSignal<[TransactionNews]>(SIGNALS.news);
/** What a session hears of flows and of webhooks. */
export const askSignal = defineSignal<[SessionRequest]>(SIGNALS.ask);
export const challengeNewsSignal = defineSignal<[ChallengeNews]>(SIGNALS.news);
export const sessionProgressQuery = defineQuery<SessionProgress>(QUERIES.progress);
/** What the user's app needs; answered by whoever has it. */
export const approvalUpdate = defineUpdate<SealedApproval, [ApprovalRequest]>(UPDATES.approval);
