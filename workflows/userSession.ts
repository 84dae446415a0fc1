import { CancellationScope, continueAsNew, log, setHandler } from '@temporalio/workflow';
import { SIGNALS } from '../src/domain/messages';
import type { SessionStart } from '../src/domain/userSession';
import { handleApprovalCredentials } from './kit/approvalCredentials';
import { CommandRunner } from './kit/commandRunner';
import { challengeUpdateSignal, sessionProgressQuery, sessionRequestSignal } from './kit/messages';
import { kindOf, type SessionCommand } from './session/commands';
import type { SessionEvent } from './session/events';
import { isChallengeUpdate, isSessionRequest } from './session/messageForms';
import { progressOf } from './session/progress';
import { reduce } from './session/reducer';
import { ChallengeCredentialsSource } from './session/runtime/challengeCredentialsSource';
import { execute } from './session/runtime/execute';
import { aliveUntil, initialState, isIdle, type SessionState } from './session/state';

/**
 * The session of one end user: it holds the user's tokens, challenges and restrictions, and makes all calls with the
 * user's token for all flows of the user. Flows send requests by signal, and the session responds by signal. Webhooks
 * report the ends of challenges. Every rule is in the reducer; this workflow runs it
 * (docs/architecture.md#the-session-of-a-user).
 */
export async function userSession(start: SessionStart<SessionState>): Promise<void> {
  let state = start.carried ?? initialState(start, Date.now());
  const runner = new CommandRunner<SessionEvent, SessionCommand>({
    reduce(event) {
      const next = reduce(state, event, Date.now());
      ({ state } = next);
      return next.commands;
    },
    kindOf,
    execute: (command, dispatch) => execute(command, start, dispatch),
    isIdle: () => isIdle(state),
    aliveUntil: () => aliveUntil(state),
  });
  // Handlers must exist before the first await, or an early message would be lost.
  handleApprovalCredentials(new ChallengeCredentialsSource(() => state, start.entity));
  setHandler(sessionProgressQuery, () => progressOf(state));
  // Anyone who can write to the namespace can send a signal.
  setHandler(sessionRequestSignal, (request) => {
    if (isSessionRequest(request)) runner.dispatch({ type: 'request', request });
    else log.warn('Dropped a signal that is not a request of a flow', { signal: SIGNALS.sessionRequest });
  });
  setHandler(challengeUpdateSignal, (update) => {
    if (isChallengeUpdate(update)) runner.dispatch({ type: 'update', update });
    else log.warn('Dropped a signal that is not the update of a challenge', { signal: SIGNALS.stateChanged });
  });
  // A cancelled session would drop what its flows wait for.
  const end = await CancellationScope.nonCancellable(() => runner.run({ type: 'alarm' }));
  if (end === 'continueAsNew') await continueAsNew<typeof userSession>({ ...start, carried: state });
}
