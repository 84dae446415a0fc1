import { allHandlersFinished, CancellationScope, continueAsNew, setHandler } from '@temporalio/workflow';
import { challengeUpdateForm, sessionRequestForm, sessionStartForm } from '../src/domain/messageForms';
import { type SessionStart, USER_SESSION } from '../src/domain/userSession';
import { handleApprovalCredentials } from './kit/approvalCredentials';
import { CommandRunner } from './kit/commandRunner';
import { checkEntityStart } from './kit/entityStart';
import { challengeUpdateSignal, sessionProgressQuery, sessionRequestSignal } from './kit/messages';
import { onSignal, warnDropped } from './kit/receive';
import { endUnread } from './kit/unreadState';
import { carriedState } from './session/carriedState';
import { kindOf, type SessionCommand } from './session/commands';
import type { SessionEvent } from './session/events';
import { progressOf } from './session/progress';
import { reduce } from './session/reducer';
import { ChallengeCredentialsSource } from './session/runtime/challengeCredentialsSource';
import { execute } from './session/runtime/execute';
import { RequestAdmission } from './session/runtime/requestAdmission';
import { aliveUntil, initialState, isIdle, type SessionState } from './session/state';

/**
 * The session of one end user: it holds the user's tokens, challenges and restrictions, and makes all calls with the
 * user's token for all flows of the user. Flows send requests by signal, and the session responds by signal. Webhooks
 * report the ends of challenges. Every rule is in the reducer; this workflow runs it
 * (docs/architecture.md#the-session-of-a-user).
 */
export async function userSession(start: SessionStart<SessionState>): Promise<void> {
  checkEntityStart(USER_SESSION, sessionStartForm, start);
  const carried = start.carried === undefined ? initialState(start, Date.now()) : carriedState(start.carried);
  if (!carried) return endUnread();
  let state = carried;
  const runner = new CommandRunner<SessionEvent, SessionCommand>({
    reduce(event) {
      const next = reduce(state, event, Date.now());
      ({ state } = next);
      return next.commands;
    },
    kindOf,
    execute: (command, dispatch) => execute(command, start, dispatch),
    // A request may wait to be admitted.
    isIdle: () => isIdle(state) && allHandlersFinished(),
    aliveUntil: () => aliveUntil(state),
  });
  // Handlers must exist before the first await, or an early message would be lost.
  handleApprovalCredentials(new ChallengeCredentialsSource(() => state, start.entity));
  setHandler(sessionProgressQuery, () => progressOf(state));
  const admission = new RequestAdmission();
  onSignal(sessionRequestSignal, sessionRequestForm, async (request) => {
    if (await admission.admit(request)) runner.dispatch({ type: 'request', request });
    else warnDropped(sessionRequestSignal.name, 'its flow does not run');
  });
  onSignal(challengeUpdateSignal, challengeUpdateForm, (update) => runner.dispatch({ type: 'update', update }));
  // A cancelled session would drop what its flows wait for.
  const end = await CancellationScope.nonCancellable(() => runner.run({ type: 'alarm' }));
  if (end === 'continueAsNew') await continueAsNew<typeof userSession>({ ...start, carried: state });
}
