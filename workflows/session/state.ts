import { jsonBytes } from '../../src/domain/jsonBytes';
import type { ChallengeNews } from '../../src/domain/messages';
import type {
  ChallengeCall,
  ChallengeFacts,
  ChallengeOrder,
  SessionProgress,
  SessionRequest,
  SessionStart,
  UserAuth,
  UserBlock,
} from '../../src/domain/userSession';

/** A challenge that the user may approve. */
export interface OpenChallenge {
  id: string;
  type: string;
  /** Workflow id of the flow that ordered it. */
  holder: string;
}

/** What a flow asked for and has no answer to. */
export interface WaitingRequest extends SessionRequest {
  /** Of an order: its flow wants it no more. */
  takenBack?: true;
}

/** What there was before an order was sent. */
export interface BeforeOrder {
  /** Challenges that were open: what else is there afterwards was made by it. */
  ids: string[];
  /** Epoch milliseconds, when they were read. */
  at: number;
  /** What was ordered. */
  call: ChallengeCall;
  /** It was sent with an outcome that is not known. */
  tainted?: true;
  /** Epoch milliseconds of that. */
  since?: number;
}

/** Everything that a session knows, as data: what one run hands to the next. */
export interface SessionState {
  auth: UserAuth;
  /** Epoch milliseconds, when the tokens of a login came. */
  tokensSince: number;
  /** Renewals so far; each has a key of its own. */
  renewals: number;
  /** Not answered yet, in the order in which they came. */
  requests: WaitingRequest[];
  /** Ids of the newest requests: a doubled signal is told by them. */
  seen: string[];
  /**
   * What the user may approve now: until it is over, or its flow wants it no more, no other is opened. Several only where
   * one was found afterwards that an order had made.
   */
  open: OpenChallenge[];
  /** Of orders that were sent or are about to be, by their effect. */
  before: Record<string, BeforeOrder>;
  /** What orders have opened, the newest: by effect. */
  opened: { effect: string; challenge: ChallengeFacts }[];
  /** Challenges that are over, the newest. */
  ended: ChallengeFacts[];
  /** Ends of challenges whose order has not been answered yet. */
  early: ChallengeNews[];
  block?: UserBlock;
  /** Workflow ids of flows that know that something keeps the user from approving: they hear when nothing does any more. */
  told: string[];
  /** Of the entity; read once. */
  appId?: string;
}

/** Bounds of what is remembered: signals come twice within minutes, flows ask for an end soon after it. */
const KEPT = { seen: 1_000, opened: 50, ended: 50, early: 50, told: 1_000 } as const;

export function firstState({ auth }: SessionStart): SessionState {
  return {
    auth,
    tokensSince: Date.now(),
    renewals: 0,
    requests: [],
    seen: [],
    open: [],
    before: {},
    opened: [],
    ended: [],
    early: [],
    told: [],
  };
}

/** Adds to one of the bounded lists; the oldest makes room. */
export function keep<L extends keyof typeof KEPT>(state: SessionState, list: L, entry: SessionState[L][number]): void {
  const all = state[list] as unknown[];
  all.push(entry);
  if (all.length > KEPT[list]) all.shift();
}

/** Names an effect across all flows of the user. */
export function effectName({ effect: { flow, ref, step, ordinal } }: ChallengeOrder): string {
  return `${flow}/${ref}~${step}.${ordinal}`;
}

/** Bytes of orders that wait: all of them go into the next run, and Temporal takes 2 MB at once. */
const MOST_WAITING_BYTES = 1_000_000;

/** Whether an order is too large to wait behind those that wait already. */
export function isTooMuch(state: SessionState, order: SessionRequest): boolean {
  const waiting = requestsFor(state, 'order');
  return waiting.length > 0 && jsonBytes([...waiting, order]) > MOST_WAITING_BYTES;
}

/** Takes a challenge off what is open. */
export function closeChallenge(state: SessionState, isIt: (challenge: OpenChallenge) => boolean): void {
  state.open = state.open.filter((challenge) => !isIt(challenge));
}

/** Request of a kind, with its ask narrowed. */
export type RequestFor<W extends SessionRequest['ask']['what']> = WaitingRequest & {
  ask: Extract<SessionRequest['ask'], { what: W }>;
};

export function requestsFor<W extends SessionRequest['ask']['what']>(state: SessionState, what: W): RequestFor<W>[] {
  return state.requests.filter((request): request is RequestFor<W> => request.ask.what === what);
}

export const OTHER_CHALLENGE: UserBlock = { reason: 'otherChallenge' };

/** Orders that wait for the challenge of another flow. */
export function behindOthers(state: SessionState): RequestFor<'order'>[] {
  const [open] = state.open;
  return open ? requestsFor(state, 'order').filter(({ flow }) => flow !== open.holder) : [];
}

/** What people see of it. */
export function progressOf({ auth, open: [open], block, requests }: SessionState): SessionProgress {
  return {
    auth: auth.by,
    ...(open && { open: { challengeId: open.id, type: open.type, flow: open.holder } }),
    ...(block && { block }),
    waiting: requests.length,
  };
}
