import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Decision } from '../../src/domain/attention';
import {
  type CancelAnswer,
  type CancelRequest,
  type DecideRequest,
  QUERIES,
  SIGNALS,
  type TransactionNews,
  UPDATES,
} from '../../src/domain/messages';
import type { Progress } from '../../src/domain/progress';

export const progressQuery = defineQuery<Progress>(QUERIES.progress);
export const decideUpdate = defineUpdate<Decision, [DecideRequest]>(UPDATES.decide);
export const cancelUpdate = defineUpdate<CancelAnswer, [CancelRequest]>(UPDATES.cancel);
export const newsSignal = defineSignal<[TransactionNews]>(SIGNALS.news);
