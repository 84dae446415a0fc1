import type { Attention, DecisionOption } from '../../src/domain/attention';
import { CLIENT_CODES, CODES } from '../../src/domain/codes';
import type { ChallengeCall, ChallengeFacts, ChallengeOrder } from '../../src/domain/userSession';
import { isCancellation } from '@temporalio/workflow';
import { local } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { perform } from '../kit/perform';
import { Refusal } from '../kit/refusal';
import type { SessionLine } from '../kit/session';
import { ApprovalLimits, type Limits } from './approvalLimits';
import { hearClientErrors } from './clientErrors';

/** What a flow has its user approve. */
export interface ApprovalRequest extends Limits {
  /** Effect name. */
  step: string;
  call: ChallengeCall;
  params?: { id: string };
  /** Body without what names the effect. */
  body: object;
  /** The gate: before each new challenge. */
  beforeOpen?: () => Promise<void>;
  /** Whether another approval follows, before which the flow can still be called back. */
  more?: boolean;
}

/** A challenge that the user has approved and that is complete. */
export interface Approval extends ChallengeFacts {
  /** The user approved it after the flow's deadline, or after the flow was called back. */
  approvedLate?: true;
}

const RETRY: DecisionOption = { choice: 'retry', effect: 'asks the user again, with a new challenge' };
const READ_AGAIN: DecisionOption = {
  choice: 'retry',
  effect: 'reads the challenge again, after a new login where it needs one',
};
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed' };

/**
 * The one way a flow has a user approve something. A challenge that expires is followed by a new one until the flow's
 * deadline; one that could still be approved is waited for, whatever becomes of the flow (DESIGN rule 9). When it is
 * complete there is no return, unless `more` is to be approved.
 *
 * @throws Refusal: `denied` by the user, `failed`, `cancelled`, or `expired` after `until`; nothing was made
 */
export async function approve(flow: Flow, line: SessionLine, request: ApprovalRequest): Promise<Approval> {
  const limits = new ApprovalLimits(flow, line, request);
  return limits.within(async () => {
    for (;;) {
      limits.check();
      await request.beforeOpen?.();
      const challenge = await open(flow, line, request);
      const { ended, late } = await endOf(flow, line, challenge, limits);
      if (ended.status.startsWith('COMPLETE')) {
        if (request.more) flow.uncommit();
        else flow.pointOfNoReturn();
        return { ...ended, ...(late && { approvedLate: true as const }) };
      }
      flow.uncommit();
      limits.check();
      await heed(flow, ended);
    }
  });
}

async function open(flow: Flow, line: SessionLine, request: ApprovalRequest): Promise<ChallengeFacts> {
  const { step, call, params, body, beforeOpen } = request;
  const order = (effect: ChallengeOrder['effect']): ChallengeOrder => ({
    effect,
    call,
    body,
    ...(params && { params }),
  });
  flow.waitFor('the user to approve');
  flow.commit();
  try {
    return await perform(flow, {
      step,
      send: (effect) => line.order(order(effect)),
      find: (effect) => line.find(order(effect)),
      beforeAgain: beforeOpen,
    });
  } catch (error) {
    flow.uncommit();
    throw error;
  }
}

/**
 * The end of a challenge, which the flow waits for even when it wants it no more: the user could still approve it. Only one
 * whose approval would change nothing is left to itself.
 */
async function endOf(
  flow: Flow,
  line: SessionLine,
  { id, type }: ChallengeFacts,
  limits: ApprovalLimits,
): Promise<{ ended: ChallengeFacts; late: boolean }> {
  flow.showApproval({ challengeId: id, type, session: line.session });
  const over = hearClientErrors(flow, line, id);
  try {
    return { ended: await lastWord(flow, line, id), late: false };
  } catch (error) {
    if (!isCancellation(error)) throw error;
    if (limits.isPointless) {
      await flow.unstoppable(() => line.release(id));
      throw error;
    }
    return { ended: await flow.unstoppable(() => lastWord(flow, line, id)), late: true };
  } finally {
    over();
    flow.showApproval(undefined);
  }
}

/**
 * A challenge that can't be read, since the API refuses that or the login that it needs, is no ending of ours: the user can
 * still approve it, and a person has to look.
 */
async function lastWord(flow: Flow, line: SessionLine, id: string): Promise<ChallengeFacts> {
  for (;;) {
    try {
      return await line.ended(id);
    } catch (error) {
      await flow.attention({ ...unread(error), options: [READ_AGAIN] });
    }
  }
}

/** What keeps a challenge from being read. @throws what is none of that */
function unread(error: unknown): Omit<Attention, 'options'> {
  const failure = apiFailure(error);
  if (failure && failure.code !== CODES.challengeNotFound) {
    const { name, code, remedy } = failure;
    return { name, code: code || undefined, reason: `the challenge can't be read: ${name}`, remedy };
  }
  if (!(error instanceof Refusal)) throw error;
  const { code, reason, remedy } = error.outcome;
  return {
    name: 'LoginEnded',
    code,
    reason: `the challenge can't be read, since the user can't log in again: ${reason}`,
    remedy: remedy ?? 'have the user log in again',
  };
}

/** What a challenge that made nothing means for the flow: another one, after a person's decision perhaps, or its end. */
async function heed(flow: Flow, { status, errorCode: code }: ChallengeFacts): Promise<void> {
  if (status === 'EXPIRED' || code === CODES.challengeExpired || code === CODES.challengeInvalid) return;
  if (code === CLIENT_CODES.declined) {
    throw new Refusal({
      status: 'denied',
      code,
      reason: 'the user declined',
      remedy: 'ask the user, then start it again with a new ref',
    });
  }
  if (code === undefined) {
    throw new Refusal({
      status: 'failed',
      reason: `the challenge ended ${status}`,
      remedy: 'look at the challenge at the API',
    });
  }
  const { name, kind, remedy } = await local.explainCode(code);
  const refusal = new Refusal({ status: 'failed', code, reason: name, remedy });
  if (!MENDABLE.has(kind)) throw refusal;
  const choice = await flow.attention({ name, code, reason: name, remedy, options: [RETRY, GIVE_UP] });
  if (choice === GIVE_UP.choice) throw refusal;
}

/** Kinds of failures that another challenge may not meet again. */
const MENDABLE: ReadonlySet<string> = new Set(['attention', 'wait', 'transient']);
