import {
  anyText,
  anyValue,
  flag,
  type Form,
  integer,
  listOf,
  number,
  objectOf,
  optional,
  readForm,
  text,
} from '../../src/domain/forms';
import { holdStateForm, outstandingForm } from '../../src/domain/laneForms';
import type { LaneHold, LaneOutgoing, LaneState, LaneWaiter } from './state';

/**
 * The state that the run before has passed on; undefined if it has another form. Then the lane has to end: flows watch its
 * runs, and send their requests again once none runs (docs/architecture.md#the-lane-of-a-wallet).
 */
export function carriedState(value: unknown): LaneState | undefined {
  return readForm(stateForm, value).value;
}

const USER = { flow: text, firstRunId: text, hold: integer };

const stateForm: Form<LaneState> = objectOf<LaneState>({
  at: number,
  capacity: integer,
  holds: listOf(
    objectOf<LaneHold>({
      ...USER,
      grantedAt: number,
      state: holdStateForm,
      reportedAt: number,
      transactionId: optional(text),
    }),
  ),
  waiting: listOf(
    objectOf<LaneWaiter>({ ...USER, priority: number, sentAt: number, state: holdStateForm, told: optional(anyText) }),
  ),
  outstanding: listOf(outstandingForm),
  mustList: flag,
  lists: integer,
  outbox: listOf(objectOf<LaneOutgoing>({ number: integer, flow: text, firstRunId: text, message: anyValue })),
  nextMessage: integer,
});
