import { firstPerFlow } from '../../src/domain/outbox';
import type { CommandKind } from '../kit/commandRunner';
import { CHECK_HOLD_AFTER_MS, type LaneHold, type LaneOutgoing, type LaneState } from './state';

/**
 * What a lane does. The runner starts each command once, as long as the state asks for it.
 *
 * - `deliver`            signals a flow
 * - `list`               reads the outstanding transactions of the wallet
 * - `followOutstanding`  polls until one of these transactions is no longer outstanding, or has moved on
 * - `followHolderEnd`    polls whether a flow still runs
 * - `alarm`              waits until a time, in epoch milliseconds
 */
export type LaneCommand = { id: string } & (
  | { name: 'deliver'; outgoing: LaneOutgoing }
  | { name: 'list' }
  | { name: 'followOutstanding'; known: LaneState['outstanding'] }
  | { name: 'followHolderEnd'; flow: string; firstRunId: string; isAwaited: boolean }
  | { name: 'alarm'; at: number }
);

export type LaneCommandName = LaneCommand['name'];

/** Signals that are on their way at the same time. The server limits those that it has not delivered yet. */
const MAX_DELIVERIES = 500;

const KINDS: Record<LaneCommandName, CommandKind> = {
  deliver: 'message',
  list: 'wait',
  followOutstanding: 'wait',
  followHolderEnd: 'wait',
  alarm: 'wait',
};

export function kindOf({ name }: LaneCommand): CommandKind {
  return KINDS[name];
}

/** The commands that the state asks for now. Their ids are unique, and stay the same as long as a command is wanted. */
export function commandsOf(state: LaneState): LaneCommand[] {
  const { waiting, outstanding, mustList, lists, outbox } = state;
  const commands: LaneCommand[] = firstPerFlow(outbox)
    .slice(0, MAX_DELIVERIES)
    .map((outgoing) => ({
      id: `deliver/${outgoing.number}`,
      name: 'deliver',
      outgoing,
    }));
  const isAwaited = waiting.length > 0;
  if (isAwaited && mustList) commands.push({ id: `list/${lists}`, name: 'list' });
  if (isAwaited && !mustList && outstanding.length > 0)
    commands.push({ id: `followOutstanding/${lists}`, name: 'followOutstanding', known: outstanding });
  for (const { flow, firstRunId } of holdsToCheck(state))
    // Another poll begins with the first flow that waits, because polls grow rare.
    commands.push({
      id: `followHolderEnd/${firstRunId}/${isAwaited}`,
      name: 'followHolderEnd',
      flow,
      firstRunId,
      isAwaited,
    });
  const checks = state.holds.map(({ grantedAt }) => grantedAt + CHECK_HOLD_AFTER_MS).filter((time) => time > state.at);
  if (checks.length > 0) {
    const at = Math.min(...checks);
    commands.push({ id: `alarm/${at}`, name: 'alarm', at });
  }
  return commands;
}

/** The holds that may be of flows that no longer run: old ones, and the one that all others wait for. */
function holdsToCheck({ holds, waiting, at }: LaneState): Set<LaneHold> {
  const first = holds.find(({ state }) => state === 'stuck') ?? holds[0];
  const old = holds.filter(({ grantedAt }) => grantedAt + CHECK_HOLD_AFTER_MS <= at);
  return new Set(first && waiting.length > 0 ? [first, ...old] : old);
}
