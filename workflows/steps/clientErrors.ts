import { CODES, USER_TOKEN_REFUSALS } from '../../src/domain/codes';
import { LOCK_CODES } from '../../src/domain/userSession';
import { localActivities } from '../kit/activities';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';

/** What the flow asks of the session when the user's app reports a code. The user has to act on all other codes. */
const REACTIONS: readonly [codes: readonly number[], (session: SessionClient, challengeId: string) => Promise<void>][] =
  [
    [
      [CODES.challengeExpired, CODES.challengeInvalid, CODES.challengeNotFound],
      (session, id) => session.refreshChallenge(id),
    ],
    [[CODES.userDisabled, ...Object.keys(LOCK_CODES).map(Number)], (session) => session.refreshUser()],
    [[...USER_TOKEN_REFUSALS], (session) => session.renewTokens()],
  ];

/**
 * Accepts error codes of the SDK in the user's app while a challenge is open (`provide('clientError', { code })`). The
 * progress shows the code with its remedy, and the session checks the challenge, the user or the tokens.
 * @returns a function that stops accepting them; call it when the challenge has ended
 */
export function acceptClientErrors(flow: Flow, session: SessionClient, challengeId: string): () => void {
  return flow.accepts('clientError', {
    effect: "shows what the user can do about an error that the app's SDK reported",
    isOpen: () => true,
    apply: ({ code }) => void react(flow, session, challengeId, code),
  });
}

async function react(flow: Flow, session: SessionClient, challengeId: string, code: number): Promise<void> {
  const { name, remedy } = await flow.nonCancellable(() => localActivities.explainCode(code));
  flow.showUserProblem({ code, name, remedy });
  for (const [codes, reaction] of REACTIONS) if (codes.includes(code)) await reaction(session, challengeId);
}
