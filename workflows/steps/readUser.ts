import type { UserFacts, WalletFacts } from '../../activities';
import { option, type Problem } from '../../src/domain/attention';
import { apiFailure, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { LoginEnded, loginProblem } from '../kit/loginEnded';
import type { SessionClient } from '../kit/sessionClient';

const READ_AGAIN = option('retry', 'reads again');

/** Reads the user, see `readOrAskAgain`. */
export function readUser(flow: Flow, session: SessionClient): Promise<UserFacts> {
  return readOrAskAgain(flow, 'the user', () => session.readUser());
}

/** Lists the user's wallets, see `readOrAskAgain`. */
export function listUserWallets(flow: Flow, session: SessionClient): Promise<WalletFacts[]> {
  return readOrAskAgain(flow, "the user's wallets", () => session.listWallets());
}

/**
 * Reads what the flow may have changed. If it cannot be read, the flow does not end: an outcome would say that nothing was
 * made. A person decides when to read again.
 */
async function readOrAskAgain<T>(flow: Flow, what: string, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const problem = unreadableProblem(error, `${what} can't be read`);
      await flow.awaitDecision({ ...problem, options: [READ_AGAIN] });
    }
  }
}

/** @throws every error that is not the API's or the login's */
function unreadableProblem(error: unknown, consequence: string): Problem {
  if (error instanceof LoginEnded) return loginProblem(error, consequence);
  const failure = apiFailure(error);
  if (!failure) throw error;
  return problemOf(failure, consequence);
}
