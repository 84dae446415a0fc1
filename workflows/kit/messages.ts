import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Decision } from '../../src/domain/attention';
import {
  type CancelAnswer,
  type CancelRequest,
  type DecideRequest,
  type Provided,
  type ProvideRequest,
  QUERIES,
  UPDATES,
} from '../../src/domain/messages';
import type { Progress } from '../../src/domain/progress';

export const progressQuery = defineQuery<Progress>(QUERIES.progress);
export const decideUpdate = defineUpdate<Decision, [DecideRequest]>(UPDATES.decide);
export const provideUpdate = defineUpdate<Provided, [ProvideRequest]>(UPDATES.provide);
export const cancelUpdate = defineUpdate<CancelAnswer, [CancelRequest]>(UPDATES.cancel);
