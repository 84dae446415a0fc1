import { anyValue, type Form, integer, keysOf, number, objectOf, optional, setFlag, text, variantOf } from './forms';
import {
  HOLD_STATES,
  type HoldState,
  type LaneBlocker,
  type LaneMessage,
  type LaneOperation,
  type LaneRefusal,
  type LaneRequest,
  type LaneStart,
  type OutstandingTransaction,
} from './walletLane';

// The form of every message to and from a lane.

export const holdStateForm: Form<HoldState> = keysOf(HOLD_STATES);

type Operation<T extends LaneOperation['type']> = Extract<LaneOperation, { type: T }>;

const OPERATIONS: { [T in LaneOperation['type']]: Form<LaneOperation> } = {
  acquire: objectOf<Operation<'acquire'>>({
    type: keysOf(['acquire']),
    priority: number,
    capacity: integer,
    state: holdStateForm,
    held: optional(setFlag),
  }),
  report: objectOf<Operation<'report'>>({
    type: keysOf(['report']),
    state: holdStateForm,
    transactionId: optional(text),
  }),
  release: objectOf<Operation<'release'>>({ type: keysOf(['release']), mayBeOutstanding: optional(setFlag) }),
};

export const laneRequestForm: Form<LaneRequest> = objectOf<LaneRequest>({
  flow: text,
  firstRunId: text,
  hold: integer,
  sentAt: number,
  operation: variantOf<LaneOperation>('type', OPERATIONS),
});

export const laneBlockerForm: Form<LaneBlocker> = objectOf<LaneBlocker>({
  reason: keysOf(['approval', 'stuck', 'foreign']),
  flow: optional(text),
  transactionId: optional(text),
});

type Message<T extends LaneMessage['type']> = Extract<LaneMessage, { type: T }>;

const ABOUT = { walletId: text, firstRunId: text, hold: integer };

export const laneMessageForm: Form<LaneMessage> = variantOf<LaneMessage>('type', {
  granted: objectOf<Message<'granted'>>({ ...ABOUT, type: keysOf(['granted']) }),
  full: objectOf<Message<'full'>>({ ...ABOUT, type: keysOf(['full']) }),
  blocked: objectOf<Message<'blocked'>>({ ...ABOUT, type: keysOf(['blocked']), by: laneBlockerForm }),
} as never);

export const outstandingForm: Form<OutstandingTransaction> = objectOf<OutstandingTransaction>({
  id: text,
  state: text,
  flow: optional(text),
});

export const laneStartForm: Form<LaneStart> = objectOf<LaneStart>({ entity: text, ref: text, carried: anyValue });

export const laneRefusalForm: Form<LaneRefusal> = objectOf<LaneRefusal>({ code: integer });
