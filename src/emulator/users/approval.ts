import { Refusal } from '../refusal';
import type { World } from '../world';
import { readContent, type ApprovalContent } from './approvalContent';
import { challengeOf, complete, fail, requirePending } from './challenges';
import { requireKnownDevice } from './devices';
import { EFFECTS, type Effect } from './effects';
import type { ChallengeRow, UserRow } from './rows';
import { authenticateUser } from './tokens';
import { requireEnabled, requirePin, requireQuestions } from './users';

/** From the approval to the end of the challenge, world time. */
const EXECUTION_MS = 500;

/** Who sends an approval; what is left out is not checked. */
export interface Client {
  appId?: string | undefined;
  userToken?: string | undefined;
  encryptionKey?: string | undefined;
  deviceId?: string | undefined;
}

/** What clients report when their user declines; never sent by the API itself. */
const DECLINED = 155701;

/** What the client's SDK tells its app (api-facts 5). */
export interface ApprovalResult {
  type: string;
  status: string;
  data?: Effect['data'];
}

/**
 * Approves a challenge as the user's client does. It is carried out at once, and is `IN_PROGRESS` for a moment.
 * @throws Refusal, and the challenge stays as it was: 155114 app, 155113 device, 155103–155105 and 155118 token and key, 155116, 155121,
 *   155122 challenge, 155109 user, 155119, 155120 locked, 155117, 155123, 155124 content, 155112, 155115 wrong entry
 */
export function approve(
  world: World,
  id: string,
  { appId, userToken, encryptionKey, deviceId, ...given }: Client & Record<string, unknown>,
): ApprovalResult {
  if (appId !== undefined && appId !== world.settings.appId) throw new Refusal(155114);
  if (deviceId !== undefined) requireKnownDevice(world, deviceId);
  const token = userToken === undefined ? undefined : authenticateUser(world, userToken);
  if (token && encryptionKey !== undefined && encryptionKey !== token.encryptionKey) throw new Refusal(155118);
  const row = challengeOf(world, id);
  if (token && token.user !== row.user) throw new Refusal(155122);
  requirePending(row);
  requireEnabled(row.user);
  const content = readContent(row.user, row.type, given);
  checkEntries(world, row.user, content);
  return carryOut(world, row, content);
}

/** The user declines. @throws Refusal 155116, 155121, 155122 */
export function reject(world: World, id: string): ChallengeRow {
  const row = challengeOf(world, id);
  requirePending(row);
  fail(world, row, { code: DECLINED, message: 'The user declined' });
  return row;
}

/** @throws Refusal 155119, 155112; 155120, 155115 */
function checkEntries(world: World, user: UserRow, { pin, answers }: ApprovalContent): void {
  const now = world.clock.now();
  if (pin !== undefined) {
    requirePin(world, user);
    if (pin !== user.pin) {
      user.pinLock.fail(now);
      throw new Refusal(155112);
    }
    user.pinLock.succeed();
  }
  if (answers !== undefined) {
    requireQuestions(world, user);
    if (answers.length !== user.questions.length || answers.some((answer, n) => answer !== user.questions[n]?.answer)) {
      user.answersLock.fail(now);
      throw new Refusal(155115);
    }
    user.answersLock.succeed();
  }
}

function carryOut(world: World, row: ChallengeRow, content: ApprovalContent): ApprovalResult {
  let effect: Effect = {};
  let refusal: Refusal | undefined;
  try {
    // The request is the one that its type's row takes.
    effect = EFFECTS[row.type](world, row.user, row.request as never, content);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error;
  }
  row.status = 'IN_PROGRESS';
  world.clock.after(EXECUTION_MS, () => {
    if (refusal) fail(world, row, refusal);
    else complete(world, row, effect.correlationIds ?? []);
  });
  return { type: row.type, status: row.status, ...(effect.data && { data: effect.data }) };
}
