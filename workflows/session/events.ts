import type { UserFacts } from '../../activities';
import type { ApiFailure } from '../../src/domain/apiFailure';
import type { ChallengeUpdate } from '../../src/domain/messages';
import type { ChallengeFacts, LoginTokens, SessionRequest } from '../../src/domain/userSession';

/** A call with the user's token failed. `tokensVersion`: the tokens that it used. */
interface CallFailed {
  failure: ApiFailure;
  tokensVersion: number;
}

/**
 * What happens to a session. Signals:
 *
 * - `request`           a flow sent a request
 * - `update`            a signed webhook reported the end of a challenge
 *
 * Results of commands, see `SessionCommand`. `key` is a `recordKey`:
 *
 * - `sending`           the request of a record is being sent
 * - `sent`, `sendFailed`, `listed`, `listFailed`. `resetRunId`: this run of the session, if it began with a reset
 * - `ended`             a poll or a read found the end of a challenge
 * - `followFailed`, `readDone`
 * - `answered`, `answerFailed`  a read of a flow
 * - `delivered`         a flow has received a message
 * - `flowClosed`        a flow no longer runs. `requestCount`: as the command began. Later requests come from a run
 *                       that a reset has started
 * - `parked`            the first event of `parking` is stored
 * - `tokensRenewed`, `renewalFailed`
 * - `userRead`          without `user`, it could not be read
 * - `userEnabled`
 * - `alarm`             a time that the state waits for has come
 */
export type SessionEvent =
  | { type: 'request'; request: SessionRequest }
  | { type: 'update'; update: ChallengeUpdate }
  | { type: 'sending'; key: string }
  | { type: 'sent'; key: string; challengeId: string }
  | ({ type: 'sendFailed'; key: string } & CallFailed)
  | { type: 'listed'; key: string; challenges: readonly ChallengeFacts[]; resetRunId?: string }
  | ({ type: 'listFailed'; key: string } & CallFailed)
  | { type: 'ended'; challenge: ChallengeFacts }
  | ({ type: 'followFailed'; challengeId: string } & CallFailed)
  | { type: 'readDone'; challengeId: string }
  | { type: 'answered'; requestId: string; value: unknown }
  | ({ type: 'answerFailed'; requestId: string } & CallFailed)
  | { type: 'delivered'; number: number }
  | { type: 'flowClosed'; flow: string; requestCount: number }
  | { type: 'parked' }
  | { type: 'tokensRenewed'; tokens: LoginTokens; tokensVersion: number }
  | ({ type: 'renewalFailed' } & CallFailed)
  | { type: 'userRead'; user?: UserFacts }
  | { type: 'userEnabled' }
  | { type: 'alarm' };

export type SessionEventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;
