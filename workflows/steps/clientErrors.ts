import { CODES, USER_TOKEN_REFUSALS } from '../../src/domain/codes';
import { LOCK_CODES } from '../../src/domain/userSession';
import { local } from '../kit/activities';
import type { Flow } from '../kit/flow';
import type { SessionLine } from '../kit/session';

/** What the session is asked when the user's app reports a code; every other one is the user's own to mend. */
const REACTIONS: readonly [codes: readonly number[], (line: SessionLine, challengeId: string) => Promise<void>][] = [
  [[CODES.challengeExpired, CODES.challengeInvalid, CODES.challengeNotFound], (line, id) => line.look(id)],
  [[CODES.userDisabled, ...Object.keys(LOCK_CODES).map(Number)], (line) => line.recheck()],
  [[...USER_TOKEN_REFUSALS], (line) => line.renew()],
];

/**
 * While a challenge is open, the user's app may report what its SDK told it (`provide('clientError', { code })`): it is
 * shown with its remedy, and the session looks at what it is about.
 * @returns to be called when the challenge is over
 */
export function hearClientErrors(flow: Flow, line: SessionLine, challengeId: string): () => void {
  return flow.provides('clientError', {
    effect: "shows what the user can do about an error of the app's SDK",
    wanted: () => true,
    take: ({ code }) => void react(flow, line, challengeId, code),
  });
}

async function react(flow: Flow, line: SessionLine, challengeId: string, code: number): Promise<void> {
  const { name, remedy } = await flow.unstoppable(() => local.explainCode(code));
  flow.showUserProblem({ code, name, remedy });
  for (const [codes, ask] of REACTIONS) if (codes.includes(code)) await ask(line, challengeId);
}
