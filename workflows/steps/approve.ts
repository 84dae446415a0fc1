import { isCancellation } from '@temporalio/workflow';
import type { Attention, DecisionOption } from '../../src/domain/attention';
import { CLIENT_CODES, CODES } from '../../src/domain/codes';
import type { ChallengeCall, ChallengeFacts, ChallengeRequest } from '../../src/domain/userSession';
import { localActivities } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { perform } from '../kit/perform';
import type { SessionClient } from '../kit/sessionClient';
import { type ApprovalLimitOptions, ApprovalLimits } from './approvalLimits';
import { acceptClientErrors } from './clientErrors';

/** An approval that a flow asks its user for. */
export interface ApproveOptions extends ApprovalLimitOptions {
  /** Step of the effect: part of its idempotency key. */
  step: string;
  call: ChallengeCall;
  params?: { id: string };
  /** Body without `idempotencyKey` and `refId`. */
  body: object;
  /** Runs before each new challenge; the gate of a transfer. */
  beforeOpen?: () => Promise<void>;
  /** Whether another approval follows. If so, the flow can still be cancelled after this one. */
  moreApprovals?: boolean;
}

/** A complete challenge that the user has approved. */
export interface ApprovedChallenge extends ChallengeFacts {
  /** The user approved it after the flow's deadline or after a cancellation was requested. */
  approvedLate?: true;
}

const RETRY: DecisionOption = { choice: 'retry', effect: 'asks the user again, with a new challenge' };
const READ_AGAIN: DecisionOption = {
  choice: 'retry',
  effect: 'reads the challenge again, after a new login if one is needed',
};
const GIVE_UP: DecisionOption = { choice: 'giveUp', effect: 'ends the flow as failed' };

/**
 * Asks the user for an approval. If the challenge expires before the flow's deadline, opens a new one. As long as a
 * challenge could still be approved, the flow waits for its end, even after a cancellation or the deadline. A complete
 * challenge is the point of no return, unless more approvals follow (docs/architecture.md#the-point-of-no-return).
 *
 * @throws FlowOutcomeError `denied` by the user, `failed`, `cancelled`, or `expired` after the deadline; nothing was
 * created
 */
export async function approve(flow: Flow, session: SessionClient, options: ApproveOptions): Promise<ApprovedChallenge> {
  const limits = new ApprovalLimits(flow, session, options);
  return limits.within(async () => {
    for (;;) {
      limits.check();
      await options.beforeOpen?.();
      const challenge = await openChallenge(flow, session, options);
      const { ended, isLate } = await awaitEnd(flow, session, challenge, limits);
      if (ended.status.startsWith('COMPLETE')) {
        if (options.moreApprovals) flow.uncommit();
        else flow.passPointOfNoReturn();
        return { ...ended, ...(isLate && { approvedLate: true as const }) };
      }
      flow.uncommit();
      limits.check();
      await handleEndWithoutEffect(flow, ended);
    }
  });
}

async function openChallenge(flow: Flow, session: SessionClient, options: ApproveOptions): Promise<ChallengeFacts> {
  const { step, call, params, body, beforeOpen } = options;
  const challengeRequest = (effect: ChallengeRequest['effect']): ChallengeRequest => ({
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
      send: (effect) => session.openChallenge(challengeRequest(effect)),
      find: (effect) => session.findChallenge(challengeRequest(effect)),
      beforeResend: beforeOpen,
    });
  } catch (error) {
    flow.uncommit();
    throw error;
  }
}

/**
 * Waits for the end of a challenge, even after a cancellation or the deadline, because the user could still approve it.
 * Abandons only a challenge whose approval would no longer change anything.
 * @returns `isLate`: the end came after a cancellation or the deadline
 */
async function awaitEnd(
  flow: Flow,
  session: SessionClient,
  { id, type }: ChallengeFacts,
  limits: ApprovalLimits,
): Promise<{ ended: ChallengeFacts; isLate: boolean }> {
  flow.showApproval({ challengeId: id, type, session: session.sessionWorkflowId });
  const stopAccepting = acceptClientErrors(flow, session, id);
  try {
    return { ended: await readEnd(flow, session, id), isLate: false };
  } catch (error) {
    if (!isCancellation(error)) throw error;
    if (limits.isSuperseded) {
      await flow.nonCancellable(() => session.releaseChallenge(id));
      throw error;
    }
    return { ended: await flow.nonCancellable(() => readEnd(flow, session, id)), isLate: true };
  } finally {
    stopAccepting();
    flow.showApproval(undefined);
  }
}

/**
 * Reads the end of a challenge. If the API refuses the read, or the login that the read needs fails, the flow does not
 * end: the user can still approve the challenge, so the flow asks for a decision.
 */
async function readEnd(flow: Flow, session: SessionClient, id: string): Promise<ChallengeFacts> {
  for (;;) {
    try {
      return await session.awaitChallengeEnd(id);
    } catch (error) {
      await flow.awaitDecision({ ...unreadableAttention(error), options: [READ_AGAIN] });
    }
  }
}

/** The attention for a challenge that cannot be read. @throws every error that is not the API's or the login's */
function unreadableAttention(error: unknown): Omit<Attention, 'options'> {
  const failure = apiFailure(error);
  if (failure && failure.code !== CODES.challengeNotFound) {
    const { name, code, remedy } = failure;
    return { name, code: code || undefined, reason: `the challenge can't be read: ${name}`, remedy };
  }
  if (!(error instanceof FlowOutcomeError)) throw error;
  const { code, outcome } = error;
  const { reason, remedy } = outcome;
  return {
    name: 'LoginEnded',
    code,
    reason: `the challenge can't be read because the user can't log in again: ${reason}`,
    remedy: remedy ?? 'ask the user to log in again',
  };
}

/**
 * Handles a challenge that ended without an effect. Returns if a new challenge may follow, after a decision if one is
 * needed. @throws FlowOutcomeError if the flow has to end
 */
async function handleEndWithoutEffect(flow: Flow, { status, errorCode: code }: ChallengeFacts): Promise<void> {
  if (status === 'EXPIRED' || code === CODES.challengeExpired || code === CODES.challengeInvalid) return;
  if (code === CLIENT_CODES.declined) {
    throw new FlowOutcomeError({
      status: 'denied',
      code,
      reason: 'the user declined',
      remedy: 'ask the user, then start the flow again with a new ref',
    });
  }
  if (code === undefined) {
    throw new FlowOutcomeError({
      status: 'failed',
      reason: `the challenge ended as ${status}`,
      remedy: 'check the challenge at the API',
    });
  }
  const { name, kind, remedy } = await localActivities.explainCode(code);
  const failed = new FlowOutcomeError({ status: 'failed', code, reason: name, remedy });
  if (!RETRYABLE_KINDS.has(kind)) throw failed;
  const choice = await flow.awaitDecision({ name, code, reason: name, remedy, options: [RETRY, GIVE_UP] });
  if (choice === GIVE_UP.choice) throw failed;
}

/** Kinds of failures after which a new challenge may still succeed. */
const RETRYABLE_KINDS: ReadonlySet<string> = new Set(['attention', 'wait', 'transient']);
