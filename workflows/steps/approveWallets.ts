import { CODES } from '../../src/domain/codes';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { FlowOutcomeError } from '../kit/flowOutcomeError';
import { approve } from './approve';
import type { CreatedWallets } from './awaitLiveWallets';
import type { OnboardedUser } from './establishUser';
import { findWallets } from './findWallets';
import { matchingWallets, missingWallets } from './matchingWallets';
import { listUserWallets, readUser } from './readUser';

/** The wallets that exist so far. Filled while the approvals proceed, so it is correct even if the flow ends early. */
export interface ApprovedWallets {
  /** Ids of wallets that existed before. */
  adopted: string[];
  /** The wallets that the approvals created, one entry for each approval. */
  created: CreatedWallets[];
  /** Whether the user gave the last approval after the deadline or after a cancellation was requested. */
  approvedLate: boolean;
}

export interface WalletApprovals {
  user: OnboardedUser;
  /** One approval each. */
  requests: readonly UserWalletsInput[];
  /** The flow's deadline, epoch milliseconds. */
  deadlineAt?: number;
}

const ALREADY_INITIALIZED_CODES: ReadonlySet<number | undefined> = new Set([
  CODES.userAlreadyInitialized,
  CODES.pinAlreadySet,
]);

/**
 * Asks the user to approve the requested wallets. The first request comes with the user's initialization. A user who is
 * already initialized (155106) or has a PIN (155107) keeps the existing wallets and is asked only for the missing ones.
 * @throws FlowOutcomeError
 */
export async function approveWallets(flow: Flow, approvals: WalletApprovals, approved: ApprovedWallets): Promise<void> {
  const { requests, deadlineAt } = approvals;
  const { session } = approvals.user;
  const requestApproval = async (
    call: keyof typeof STEPS,
    request: UserWalletsInput,
    moreApprovals: boolean,
  ): Promise<void> => {
    const {
      id,
      correlationIds,
      approvedLate = false,
    } = await approve(flow, session, {
      step: STEPS[call],
      call,
      body: request,
      deadlineAt,
      moreApprovals,
    });
    approved.approvedLate = approvedLate;
    // The user may have approved after a cancellation, which has cancelled the scope of this step.
    const findCreated = () => {
      const known = new Set([...approved.adopted, ...approved.created.flatMap(({ ids }) => ids)]);
      const mayBeNew = (wallet: { id: string }) => !known.has(wallet.id);
      return findWallets(flow, session, { challengeId: id, requested: request, mayBeNew });
    };
    const ids = correlationIds.length > 0 ? correlationIds : await flow.nonCancellable(findCreated);
    approved.created.push({ ids, requested: { ...request, userId: approvals.user.userId } });
  };

  let remaining = requests.slice(1);
  if (
    await wasInitialized(flow, approvals.user, () =>
      requestApproval('initializeUser', requests[0]!, remaining.length > 0),
    )
  ) {
    const wallets = await listUserWallets(flow, session);
    approved.adopted.push(...requests.flatMap((request) => matchingWallets(wallets, request).map(({ id }) => id)));
    remaining = requests
      .map((request) => missingWallets(request, wallets))
      .filter(({ blockchains }) => blockchains.length > 0);
  }
  for (const [index, request] of remaining.entries())
    await requestApproval('createUserWallets', request, index + 1 < remaining.length);
}

/** Steps of the effects: parts of their idempotency keys. */
const STEPS = { initializeUser: 'initialize', createUserWallets: 'createWallets' } as const;

/**
 * Initializes the user if necessary.
 * @returns whether the user was initialized before the flow
 * @throws FlowOutcomeError
 */
async function wasInitialized(
  flow: Flow,
  { session, method, adopted }: OnboardedUser,
  initialize: () => Promise<void>,
): Promise<boolean> {
  const hasPin = async () => (await readUser(flow, session)).pinStatus !== 'UNSET';
  // A user that the flow has just created has no PIN.
  if (method === 'pin' && adopted && (await hasPin())) return true;
  try {
    await initialize();
    return false;
  } catch (error) {
    if (!(error instanceof FlowOutcomeError) || !ALREADY_INITIALIZED_CODES.has(error.refusalCode)) throw error;
  }
  if (method === 'login' || (await hasPin())) return true;
  throw failedOutcome({
    reason: 'userId: the user logs in by email or at a provider and has no PIN',
    remedy: 'onboard the user by that method, or use another user id',
  });
}
