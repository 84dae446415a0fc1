import { allHandlersFinished, CancellationScope, continueAsNew, setHandler } from '@temporalio/workflow';
import { laneRefusalForm, laneRequestForm, laneStartForm } from '../src/domain/laneForms';
import { type LaneStart, WALLET_LANE } from '../src/domain/walletLane';
import { CommandRunner } from './kit/commandRunner';
import { checkEntityStart } from './kit/entityStart';
import { laneProgressQuery, laneRefusalSignal, laneRequestSignal } from './kit/messages';
import { onSignal } from './kit/receive';
import { endUnread } from './kit/unreadState';
import { carriedState } from './lane/carriedState';
import { kindOf, type LaneCommand } from './lane/commands';
import type { LaneEvent } from './lane/events';
import { progressOf } from './lane/progress';
import { reduce } from './lane/reducer';
import { execute } from './lane/runtime/execute';
import { aliveUntil, initialState, isIdle, type LaneState } from './lane/state';

/**
 * The lane of one sending wallet: flows send their transactions in its order, so that the API need not refuse one because
 * of another. Flows send requests by signal, and the lane answers by signal. Every rule is in the reducer; this workflow
 * runs it (docs/architecture.md#the-lane-of-a-wallet).
 */
export async function walletLane(start: LaneStart<LaneState>): Promise<void> {
  checkEntityStart(WALLET_LANE, laneStartForm, start);
  const carried = start.carried === undefined ? initialState(Date.now()) : carriedState(start.carried);
  if (!carried) return endUnread();
  let state = carried;
  const runner = new CommandRunner<LaneEvent, LaneCommand>({
    reduce(event) {
      const next = reduce(state, event, start.ref, Date.now());
      ({ state } = next);
      return next.commands;
    },
    kindOf,
    execute: (command) => execute(command, start),
    isIdle: () => isIdle(state) && allHandlersFinished(),
    aliveUntil: () => aliveUntil(state),
  });
  // Handlers must exist before the first await, or an early message would be lost.
  setHandler(laneProgressQuery, () => progressOf(state));
  onSignal(laneRequestSignal, laneRequestForm, (request) => runner.dispatch({ type: 'request', request }));
  onSignal(laneRefusalSignal, laneRefusalForm, () => runner.dispatch({ type: 'refused' }));
  // A cancelled lane would drop the flows that wait for it.
  const end = await CancellationScope.nonCancellable(() => runner.run({ type: 'alarm' }));
  if (end === 'continueAsNew') await continueAsNew<typeof walletLane>({ ...start, carried: state });
}
