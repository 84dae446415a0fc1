import { continueAsNew, setHandler } from '@temporalio/workflow';
import type { SessionStart } from '../src/domain/userSession';
import { handleApprovalCredentials } from './kit/approvalCredentials';
import { CommandRunner } from './kit/commandRunner';
import { challengeUpdateSignal, sessionProgressQuery, sessionRequestSignal } from './kit/messages';
import { kindOf, type SessionCommand } from './session/commands';
import type { SessionEvent } from './session/events';
import { progressOf } from './session/progress';
import { reduce } from './session/reducer';
import { ChallengeCredentialsSource } from './session/runtime/challengeCredentialsSource';
import { execute } from './session/runtime/execute';
import { initialState, isIdle, keepAliveMs, type SessionState } from './session/state';

/**
 * The session of one end user: it holds the user's tokens, challenges and restrictions, and makes all calls with the
 * user's token for all flows of the user. Flows send requests by signal, and the session responds by signal. Webhooks
 * report the ends of challenges. Every rule is in the reducer; this workflow runs it
 * (docs/architecture.md#the-session-of-a-user).
 */
export async function userSession(start: SessionStart<SessionState>): Promise<void> {
  // A run of an earlier version may have passed on fewer fields.
  let state: SessionState = { ...initialState(start, Date.now()), ...start.carried };
  const runner = new CommandRunner<SessionEvent, SessionCommand>({
    reduce(event) {
      const next = reduce(state, event, Date.now());
      ({ state } = next);
      return next.commands;
    },
    kindOf,
    execute: (command, dispatch) => execute(command, start, dispatch),
    isIdle: () => isIdle(state),
    idleMs: () => keepAliveMs(state, Date.now()),
  });
  // Handlers must exist before the first await, or an early message would be lost.
  handleApprovalCredentials(new ChallengeCredentialsSource(() => state, start.entity));
  setHandler(sessionProgressQuery, () => progressOf(state));
  setHandler(sessionRequestSignal, (request) => runner.dispatch({ type: 'request', request }));
  setHandler(challengeUpdateSignal, (update) => runner.dispatch({ type: 'update', update }));
  if ((await runner.run({ type: 'alarm' })) === 'historyFull')
    await continueAsNew<typeof userSession>({ ...start, carried: state });
}
