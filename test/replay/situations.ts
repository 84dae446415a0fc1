import { CHALLENGE_CALL_NAMES } from '../../src/domain/challengeCalls';
import { FLOW_NAMES } from '../../src/domain/flowNames';
import type { HeldEventsContent } from '../../src/domain/heldEvents';
import { SIGNALS } from '../../src/domain/messages';
import { type ChallengeFacts, hasExpired, type SessionMessage } from '../../src/domain/userSession';
import type { LaneMessage } from '../../src/domain/walletLane';
import type { DeliveryState } from '../../workflows/eventDelivery';
import type { LaneState } from '../../workflows/lane/state';
import type { SessionState } from '../../workflows/session/state';
import type { EventOf, RecordedEvent } from './events';

// What happens to running workflows. A change that breaks one of these must break the replay of a recording.

type Run = readonly RecordedEvent[];

export interface Situation {
  /** The workflow types that get into it. */
  of: readonly string[];
  matches(run: Run): boolean;
}

const ENTITIES = ['userSession', 'walletLane', 'eventDelivery', 'heldEvents'];
/** These get messages. */
const ALL = [...FLOW_NAMES, ...ENTITIES];
/** Flows that ask an existing user for one approval. */
const APPROVALS = ['transfer', 'executeContract', 'addUserWallets', 'changePin', 'signPayload'];
const USERS = [...APPROVALS, 'onboardUser', 'userSession'];
/** These call activities that the server schedules. `changePin` leaves its calls to the session. */
const CALLERS = ALL.filter((type) => type !== 'changePin' && type !== 'heldEvents');

/** The calls of the gate. */
const ESTIMATES: ReadonlySet<string> = new Set(['estimateTransferFee', 'estimateContractExecutionFee']);

/** How an effect is looked up after its reply was lost. */
const LOOK_UPS: Record<string, string> = {
  createTransfer: 'findTransaction',
  createContractExecution: 'findTransaction',
  requestDrip: 'findInbound',
  createUser: 'readUser',
  ...Object.fromEntries(CHALLENGE_CALL_NAMES.map((call) => [call, 'listOpenChallenges'])),
};

export const SITUATIONS: Record<string, Situation> = {
  'it ends': { of: [...ALL, 'sweep'], matches: (run) => endOf(run) !== undefined },
  'it waits': { of: [...ALL, 'sweep'], matches: (run) => endOf(run) === undefined },
  'it waits in a lock of the PIN': {
    of: USERS,
    matches: (run) => endOf(run) === undefined && restrictionsOf(run).at(-1) === 'pinLocked',
  },
  'two flows wait in a lock of the PIN': {
    of: ['userSession'],
    matches: (run) => endOf(run) === undefined && lockedFlowsOf(run).size > 1,
  },
  'it goes on after a lock of the PIN': { of: USERS, matches: (run) => isFollowed(restrictionsOf(run), 'pinLocked') },
  'it goes on after another challenge of the user': {
    of: [...APPROVALS, 'userSession'],
    matches: (run) => isFollowed(restrictionsOf(run), 'otherChallenge'),
  },
  'it goes on after the user was disabled': {
    of: USERS,
    matches: (run) => isFollowed(restrictionsOf(run), 'disabled'),
  },
  'it goes on after the user has logged in again': {
    of: ['onboardUser', 'userSession'],
    matches: (run) => isFollowed(restrictionsOf(run), 'loggedOut'),
  },
  'it goes on after something has blocked its turn': {
    of: ['transfer', 'walletLane'],
    matches: (run) => isFollowed(laneMessagesOf(run), 'blocked'),
  },
  'it waits for its turn': {
    of: ['transfer'],
    matches: (run) => endOf(run) === undefined && laneMessagesOf(run).at(-1) === 'blocked',
  },
  'a lost reply is found by a lookup': {
    of: ['transfer', 'executeContract', 'signPayload', 'fundTestnet', 'onboardUser', 'userSession'],
    matches: (run) =>
      callsOf(run).some((call) => {
        const later = callsOf(run).filter(({ id }) => id > (call.endId ?? Infinity));
        return (
          call.failure?.tainted === true &&
          later.some(({ name, result }) => name === LOOK_UPS[call.name] && result !== undefined) &&
          !later.some(({ name }) => name === call.name)
        );
      }),
  },
  'somebody has a lost request looked up and sent again': {
    of: APPROVALS,
    matches: (run) => {
      const choices = messagesOf(run).map(({ value }) => (value as { choice?: string }).choice);
      return choices.includes('lookAgain') && choices.lastIndexOf('retry') > choices.indexOf('lookAgain');
    },
  },
  'an expired challenge is replaced': {
    of: ['userSession'],
    matches: (run) => {
      const expired = callsOf(run).find(({ name, result }) => name === 'followChallenge' && isExpired(result));
      return expired !== undefined && callsOf(run).some(({ id, name }) => id > expired.endId! && isChallengeCall(name));
    },
  },
  'the gate is passed again after a challenge has expired': {
    of: ['transfer', 'executeContract'],
    matches: (run) => {
      const expired = messagesOf(run).find(({ value }) => isExpired((value as { value?: unknown }).value));
      return callsOf(run).some(({ id, name }) => ESTIMATES.has(name) && id > (expired?.id ?? Infinity));
    },
  },
  'the tokens of a login are renewed': {
    of: ['userSession'],
    matches: (run) => callsOf(run).some(({ name, result }) => name === 'refreshUserToken' && result !== undefined),
  },
  'the first task brings several messages': { of: ALL, matches: (run) => messagesIn(run, 0).length > 1 },
  'the first task brings an update': {
    of: [...FLOW_NAMES, 'heldEvents'],
    matches: (run) => messagesIn(run, 0).some(({ kind }) => kind === 'update'),
  },
  'a later task brings several messages': {
    of: ALL,
    matches: (run) => messagesOf(run).some(({ task }) => task > 0 && messagesIn(run, task).length > 1),
  },
  'a later task brings a signal and an update': {
    of: [...FLOW_NAMES, 'heldEvents'],
    matches: (run) =>
      messagesOf(run).some(({ kind, task }) => {
        const kinds = messagesIn(run, task).map((message) => message.kind);
        return task > 0 && kind === 'update' && kinds.includes('signal');
      }),
  },
  'a signal arrives while an activity runs': {
    of: CALLERS,
    matches: (run) => messagesOf(run).some(({ kind, id }) => kind === 'signal' && isCalling(run, id)),
  },
  'an update arrives while an activity runs': {
    of: ['transfer', 'executeContract', 'fundTestnet'],
    matches: (run) => messagesOf(run).some(({ kind, id }) => kind === 'update' && isCalling(run, id)),
  },
  'it is cancelled through Temporal': {
    of: ALL,
    matches: (run) => run.some(({ kind }) => kind === 'cancelRequest'),
  },
  'it is cancelled through Temporal while an activity runs': {
    of: CALLERS,
    matches: (run) => run.some(({ kind, id }) => kind === 'cancelRequest' && isCalling(run, id)),
  },
  'it continues as new with something that waits': {
    of: ENTITIES,
    matches: (run) => {
      const end = endOf(run);
      return end?.how === 'continuedAsNew' && carriesWork(end.value);
    },
  },
  'it takes over something that waits from the run before': {
    of: ENTITIES,
    matches: (run) => run.some((event) => event.kind === 'start' && event.isContinued && carriesWork(event.value)),
  },
  'it was reset after a request was sent': {
    of: ['transfer', 'executeContract'],
    matches: (run) => run.some(({ kind }) => kind === 'reset'),
  },
};

function eventsOf<K extends RecordedEvent['kind']>(run: Run, ...kinds: K[]): EventOf<K>[] {
  return run.filter((event): event is EventOf<K> => (kinds as string[]).includes(event.kind));
}

const callsOf = (run: Run) => eventsOf(run, 'call');
const messagesOf = (run: Run) => eventsOf(run, 'signal', 'update');
const messagesIn = (run: Run, inTask: number) => messagesOf(run).filter(({ task }) => task === inTask);
const endOf = (run: Run) => eventsOf(run, 'end')[0];
const isCalling = (run: Run, at: number) => callsOf(run).some(({ id, endId = Infinity }) => id < at && at < endId);
const isChallengeCall = (name: string) => (CHALLENGE_CALL_NAMES as string[]).includes(name);
const isExpired = (challenge: unknown) => Boolean(challenge) && hasExpired(challenge as ChallengeFacts);

/** The types of the messages of lanes: those that a flow got, or that the lane sent. */
function laneMessagesOf(run: Run): LaneMessage['type'][] {
  const messages = eventsOf(run, 'signal', 'sentSignal').filter(({ name }) => name === SIGNALS.laneMessage);
  return messages.map(({ value }) => (value as LaneMessage).type);
}

/** The messages of a session about restrictions: those that a flow got, or that the session sent. */
function restrictionMessages(run: Run) {
  return eventsOf(run, 'signal', 'sentSignal').flatMap((event) => {
    const message = event.value as SessionMessage;
    if (event.name !== SIGNALS.sessionMessage || !('restriction' in message)) return [];
    return [{ flow: 'to' in event ? event.to : '', reason: message.restriction?.reason }];
  });
}

const restrictionsOf = (run: Run) => restrictionMessages(run).map(({ reason }) => reason);

/** The flows whose latest message is about a lock of the PIN. */
function lockedFlowsOf(run: Run): Set<string> {
  const latest = new Map(restrictionMessages(run).map(({ flow, reason }) => [flow, reason]));
  return new Set([...latest.keys()].filter((flow) => latest.get(flow) === 'pinLocked'));
}

/** Whether something else follows the reason: another one, or none. */
function isFollowed(reasons: readonly (string | undefined)[], reason: string): boolean {
  const at = reasons.indexOf(reason);
  return at >= 0 && reasons.slice(at).some((later) => later !== reason);
}

/** Whether the argument of an entity's next run has flows, events or entries that wait. */
function carriesWork(argument: unknown): boolean {
  const { carried, queue, entries } = (argument ?? {}) as Partial<DeliveryState & HeldEventsContent> & {
    carried?: Partial<SessionState & LaneState>;
  };
  const waiting = carried?.waiting ?? Object.values(carried?.records ?? {}).flatMap((record) => record.waiting);
  return waiting.length > 1 || [...(queue ?? []), ...(entries ?? [])].length > 0;
}
