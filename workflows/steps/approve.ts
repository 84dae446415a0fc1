import { isCancellation } from '@temporalio/workflow';
import { option, type Problem } from '../../src/domain/attention';
import type { ChallengeCall } from '../../src/domain/challengeCalls';
import { challengeDifference } from '../../src/domain/challengeMatch';
import { CLIENT_CODES, CODES } from '../../src/domain/codes';
import type { EffectRef } from '../../src/domain/effect';
import {
  type ChallengeEnd,
  type ChallengeFacts,
  hasExpired,
  type SentChallengeRequest,
} from '../../src/domain/userSession';
import { localActivities } from '../kit/activities';
import { apiFailure, failedOutcome, givenUpOutcome, problemOf, SessionFailure } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { loginProblem } from '../kit/loginEnded';
import { type LookUpOptions, perform } from '../kit/perform';
import { readOrAsk } from '../kit/readOrAsk';
import type { SessionClient } from '../kit/sessionClient';
import { OUTCOME_UNKNOWN, WITHDRAWN } from '../session/failures';
import { type ApprovalLimitOptions, ApprovalLimits } from './approvalLimits';
import { acceptClientErrors } from './clientErrors';

/**
 * An approval that a flow asks its user for. `M`: what a challenge makes, if the API shows to which step it belongs.
 */
export interface ApproveOptions<M extends object = never> extends ApprovalLimitOptions {
  /** Step of the effect: part of its idempotency key. */
  step: string;
  call: ChallengeCall;
  params?: { id: string };
  /** Body without `idempotencyKey` and `refId`. */
  body: object;
  /**
   * Runs before a new challenge; the gate of a transfer. @returns how long the session may replace an expired challenge
   * without it, in epoch milliseconds
   */
  beforeOpen?: () => Promise<number>;
  /** Runs before a question about a refusal. There is no challenge, so the flow may give up a lock until `beforeOpen`. */
  beforeAsking?: () => Promise<void>;
  /**
   * Makes one lookup of what an earlier challenge of this step has made: the session may not know that challenge, and the
   * API may have forgotten its key. If this is set, the first request waits for a lookup. @throws IncompleteLookUp
   */
  findMade?: (effect: EffectRef, lookUp: LookUpOptions) => Promise<M | undefined>;
  /** Whether another approval follows. If so, the flow can still be cancelled after this one. */
  moreApprovals?: boolean;
}

/** A complete challenge that the user has approved. */
export interface ApprovedChallenge extends ChallengeFacts {
  /** The user approved it after the flow's deadline or after a cancellation was requested. */
  approvedLate?: true;
}

const RETRY = option('retry', 'asks the user again, with a new challenge');
const READ_AGAIN = option('retry', 'reads the challenge again, after a new login if one is needed');
const GIVE_UP = option('giveUp', 'ends the flow as failed');
const GIVE_UP_MISSING = option(
  'giveUp',
  'ends the flow as failed; the user may have approved the challenge, or still can',
);
const MISSING_REMEDY = 'find out at the API what the challenge has created, before you start another flow for it';
const RETRY_UNVERIFIED = option(
  'retry',
  'asks the user again, with a new challenge; choose this only if you know that the earlier request did nothing',
);

/**
 * Asks the user for an approval. The session replaces a challenge that expires, as long as the check before it
 * (`beforeOpen`) is young enough; then the flow checks again. As long as a challenge could still be approved, the flow
 * waits for its end, even after a cancellation or the deadline. A complete challenge is the point of no return, unless
 * more approvals follow (docs/architecture.md#the-point-of-no-return).
 *
 * @returns the challenge, or what an earlier one has made. Of the latter, the flow is not past its point of no return yet
 * @throws FlowOutcomeError `denied` by the user, `failed`, `cancelled`, or `expired` after the deadline; nothing was
 * created
 */
export async function approve(flow: Flow, session: SessionClient, options: ApproveOptions): Promise<ApprovedChallenge>;
export async function approve<M extends object>(
  flow: Flow,
  session: SessionClient,
  options: ApproveOptions<M>,
): Promise<ApprovedChallenge | M>;
export async function approve<M extends object>(
  flow: Flow,
  session: SessionClient,
  options: ApproveOptions<M>,
): Promise<ApprovedChallenge | M> {
  const limits = new ApprovalLimits(flow, session, options);
  return limits.within(async () => {
    let unknown: EffectRef | undefined;
    let isUnverified = false;
    let isFirst = true;
    let renewUntil: number | undefined;
    for (;;) {
      const isUnsettled = unknown !== undefined || isUnverified;
      if (!isUnsettled) limits.check();
      if (!unknown && !limits.outcome) renewUntil = await options.beforeOpen?.();
      const opened = await openChallenge(flow, session, limits, {
        ...options,
        sent: unknown,
        isUnverified,
        isFirst,
        renewUntil,
      });
      isFirst = false;
      // The caller knows whether the API can still cancel it.
      if ('made' in opened) return opened.made;
      const { ended, isLate } = await awaitEnd(flow, session, opened, limits);
      const { effect } = opened;
      const { ordinal = effect.ordinal, renewalUnknown, ...challenge } = ended;
      flow.skipOrdinals(options.step, ordinal);
      if (challenge.status.startsWith('COMPLETE')) {
        const difference = challengeDifference(challenge, options);
        if (difference !== undefined) {
          await askAboutDifference(flow, challenge.id, difference);
          unknown = undefined;
          isUnverified = true;
          continue;
        }
        endApproval(flow, options);
        return { ...challenge, ...(isLate && { approvedLate: true as const }) };
      }
      isUnverified = false;
      unknown = renewalUnknown ? { ...effect, ordinal } : undefined;
      if (unknown) continue;
      flow.uncommit();
      limits.check();
      await handleEndWithoutEffect(flow, challenge, options.beforeAsking);
    }
  });
}

/** What the approval makes exists. */
function endApproval(flow: Flow, { moreApprovals }: Pick<ApproveOptions, 'moreApprovals'>): void {
  if (moreApprovals) flow.uncommit();
  else flow.passPointOfNoReturn();
}

/** A challenge that the user can approve, and the effect of the request that opened it. */
interface OpenedChallenge {
  challenge: ChallengeFacts;
  effect: EffectRef;
}

interface Opening {
  /** A request whose outcome is unknown. */
  sent?: EffectRef | undefined;
  /** An earlier request may have opened another challenge than the one that was approved. */
  isUnverified: boolean;
  /** The first request of this run. Later ones follow a challenge that has ended without an effect. */
  isFirst: boolean;
  renewUntil?: number | undefined;
}

/** @throws FlowOutcomeError. If it stays unknown whether there is a challenge, the flow stays committed */
async function openChallenge<M extends object>(
  flow: Flow,
  session: SessionClient,
  limits: ApprovalLimits,
  options: ApproveOptions<M> & Opening,
): Promise<OpenedChallenge | { made: M }> {
  const { step, call, params, body, beforeOpen, beforeAsking, findMade, sent, isUnverified, isFirst } = options;
  let { renewUntil } = options;
  const sentBy = (effect: EffectRef): SentChallengeRequest => ({ effect, call, ...(params && { params }) });
  // The API does not show who opened a challenge, so before the first request every open one is another program's.
  let mayBeOpen = sent !== undefined || isUnverified;
  flow.waitFor('the user to approve');
  flow.commit();
  try {
    return await perform<OpenedChallenge | { made: M }>(flow, {
      step,
      sent,
      // The session sends the request, in a run of its own.
      send: async ({ senderRunId: _, ...effect }) => {
        if (limits.outcome) throw new SessionFailure(sent ? OUTCOME_UNKNOWN : WITHDRAWN);
        mayBeOpen = true;
        return { effect, challenge: await session.openChallenge({ ...sentBy(effect), body }, renewUntil) };
      },
      find: async (effect, lookUp) => {
        if (limits.isSuperseded) limits.check();
        const challenge = mayBeOpen ? await session.findChallenge(sentBy(effect)) : undefined;
        if (challenge) return { effect, challenge };
        const made = await findMade?.(effect, lookUp);
        return made && { made };
      },
      preflight: isUnverified || (findMade !== undefined && isFirst),
      beforeResend: async () => void (renewUntil = await beforeOpen?.()),
      ...(beforeAsking && { beforeAsking }),
      unwanted: () => limits.outcome,
    });
  } catch (error) {
    // Only work before a request can be cancelled.
    if (isCancellation(error)) flow.uncommit();
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
  { challenge, effect }: OpenedChallenge,
  limits: ApprovalLimits,
): Promise<{ ended: ChallengeEnd; isLate: boolean }> {
  const { id, type } = challenge;
  flow.showApproval({ challengeId: id, type, session: session.sessionWorkflowId });
  const stopAccepting = acceptClientErrors(flow, session, id);
  try {
    return { ended: await readEnd(flow, session, challenge), isLate: false };
  } catch (error) {
    if (!isCancellation(error)) throw error;
    if (limits.isSuperseded) {
      await flow.nonCancellable(() => session.releaseChallenge(id));
      throw error;
    }
    const ended = await flow.nonCancellable(async () => {
      await session.withdrawChallenge(effect);
      return readEnd(flow, session, challenge);
    });
    return { ended, isLate: true };
  } finally {
    stopAccepting();
    flow.showApproval(undefined);
  }
}

/**
 * Reads the end of a challenge. If it cannot be read, or the login that the read needs fails, the flow does not end: the
 * user can still approve the challenge, so the flow asks for a decision.
 */
function readEnd(flow: Flow, session: SessionClient, challenge: ChallengeFacts): Promise<ChallengeEnd> {
  return readOrAsk(
    (options) => session.awaitChallengeEnd(challenge, options),
    async (error) => {
      const problem = unreadableProblem(error);
      const isMissing = problem.code === CODES.challengeNotFound;
      const options = isMissing ? [READ_AGAIN, GIVE_UP_MISSING] : [READ_AGAIN];
      if ((await flow.awaitDecision({ ...problem, options })) === 'giveUp') throw failedOutcome(problem);
    },
  );
}

/** Why a challenge cannot be read. @throws every error that is not the API's or the login's */
function unreadableProblem(error: unknown): Problem {
  const failure = apiFailure(error);
  if (failure) {
    const problem = problemOf(failure, "the challenge can't be read");
    return failure.code === CODES.challengeNotFound ? { ...problem, remedy: MISSING_REMEDY } : problem;
  }
  // A login that a cancellation ended counts as well: the user can still approve.
  if (!(error instanceof FlowOutcomeError)) throw error;
  return loginProblem(error, "the challenge can't be read");
}

/**
 * Handles a challenge that ended without an effect. Returns if a new challenge may follow, after a decision if one is
 * needed. @throws FlowOutcomeError if the flow has to end
 */
async function handleEndWithoutEffect(
  flow: Flow,
  challenge: ChallengeFacts,
  beforeAsking?: () => Promise<void>,
): Promise<void> {
  const { status, errorCode: code } = challenge;
  if (hasExpired(challenge)) return;
  if (code === CLIENT_CODES.declined) {
    throw new FlowOutcomeError({
      status: 'denied',
      code,
      reason: 'the user declined',
      remedy: 'ask the user, then start the flow again with a new ref',
    });
  }
  if (code === undefined) {
    throw failedOutcome({
      reason: `the challenge ended as ${status}`,
      remedy: 'check the challenge at the API',
    });
  }
  const { kind, ...meaning } = await localActivities.explainCode(code);
  const problem = problemOf({ code, ...meaning });
  if (!RETRYABLE_KINDS.has(kind)) throw failedOutcome(problem);
  await beforeAsking?.();
  const choice = await flow.awaitDecision({ ...problem, options: [RETRY, GIVE_UP] });
  if (choice === 'giveUp') throw givenUpOutcome(problem);
}

/**
 * The user approved a challenge that is not the flow's. Whether the flow opened another one is unknown, so it stays
 * committed. @throws FlowOutcomeError if the decision gives up
 */
async function askAboutDifference(flow: Flow, id: string, difference: string): Promise<void> {
  const problem = {
    name: 'UnexpectedChallenge',
    reason: `the user approved challenge ${id}, which is not what the flow asked for: ${difference}`,
    remedy: "find out who opened the challenge, and check at the API what the user's challenges have created",
  };
  const choice = await flow.nonCancellable(() =>
    flow.awaitDecision({ ...problem, options: [RETRY_UNVERIFIED, GIVE_UP] }),
  );
  if (choice === 'giveUp') throw failedOutcome(problem);
}

/** Kinds of failures after which a new challenge may still succeed. */
const RETRYABLE_KINDS: ReadonlySet<string> = new Set(['attention', 'wait', 'transient']);
