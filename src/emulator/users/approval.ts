import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import { type ApprovalContent, parseContent } from './approvalContent';
import { CHALLENGE_ACTIONS, type ChallengeResult } from './challengeActions';
import { challengeOf, complete, fail, requirePending } from './challenges';
import { requireKnownDevice } from './devices';
import type { ChallengeRow, UserRow } from './rows';
import { authenticateUser } from './tokens';
import { requireEnabled, requirePin, requireQuestions } from './users';

/** World time from the approval to the end of the challenge. */
const EXECUTION_MS = 500;

/** The client that sends an approval. Fields that are absent are not checked. */
export interface ApprovalClient {
  appId?: string | undefined;
  userToken?: string | undefined;
  encryptionKey?: string | undefined;
  deviceId?: string | undefined;
}

/** Clients report this code when the user declines; the API never returns it. */
const DECLINED = 155701;

/** What the client's SDK passes to its callback. */
export interface ApprovalResult {
  type: string;
  status: string;
  data?: ChallengeResult['data'];
}

/**
 * Approves a challenge as the user's client does. The challenge is executed immediately and stays `IN_PROGRESS` for a
 * moment.
 * @throws ApiErrorResponse and leaves the challenge unchanged: 155114 app, 155113 device, 155103–155105 token, 155118 key,
 *   155116, 155121, 155122 challenge, 155109 user, 155119, 155120 locked, 155117, 155123, 155124 content,
 *   155112, 155115 wrong entry
 */
export function approve(
  world: World,
  id: string,
  { appId, userToken, encryptionKey, deviceId, ...entered }: ApprovalClient & Record<string, unknown>,
): ApprovalResult {
  if (appId !== undefined && appId !== world.settings.appId) throw new ApiErrorResponse(155114);
  if (deviceId !== undefined) requireKnownDevice(world, deviceId);
  const token = userToken === undefined ? undefined : authenticateUser(world, userToken);
  if (token && encryptionKey !== undefined && encryptionKey !== token.encryptionKey) throw new ApiErrorResponse(155118);
  const row = challengeOf(world, id);
  if (token && token.user !== row.user) throw new ApiErrorResponse(155122);
  requirePending(row);
  requireEnabled(row.user);
  const content = parseContent(row.user, row.type, entered);
  checkEntries(world, row.user, content);
  return execute(world, row, content);
}

/** The user declines the challenge. @throws ApiErrorResponse 155116, 155121, 155122 */
export function reject(world: World, id: string): ChallengeRow {
  const row = challengeOf(world, id);
  requirePending(row);
  fail(world, row, { code: DECLINED, message: 'The user declined' });
  return row;
}

/** @throws ApiErrorResponse 155119 PIN locked, 155112 wrong PIN, 155120 answers locked, 155115 wrong answers */
function checkEntries(world: World, user: UserRow, { pin, answers }: ApprovalContent): void {
  const now = world.clock.now();
  if (pin !== undefined) {
    requirePin(world, user);
    if (pin !== user.pin) {
      user.pinLock.fail(now);
      throw new ApiErrorResponse(155112);
    }
    user.pinLock.succeed();
  }
  if (answers !== undefined) {
    requireQuestions(world, user);
    if (answers.length !== user.questions.length || answers.some((answer, n) => answer !== user.questions[n]?.answer)) {
      user.answersLock.fail(now);
      throw new ApiErrorResponse(155115);
    }
    user.answersLock.succeed();
  }
}

function execute(world: World, row: ChallengeRow, content: ApprovalContent): ApprovalResult {
  let result: ChallengeResult = {};
  let failure: ApiErrorResponse | undefined;
  try {
    // The cast is safe: the request of a challenge always has the type that the challenge's action expects.
    result = CHALLENGE_ACTIONS[row.type](world, row.user, row.request as never, content);
  } catch (error) {
    if (!(error instanceof ApiErrorResponse)) throw error;
    failure = error;
  }
  row.status = 'IN_PROGRESS';
  world.clock.after(EXECUTION_MS, () => {
    if (failure) fail(world, row, failure);
    else complete(world, row, result.correlationIds ?? []);
  });
  return { type: row.type, status: row.status, ...(result.data && { data: result.data }) };
}
