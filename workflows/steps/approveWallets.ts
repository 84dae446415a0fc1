import type { WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import type { UserWalletsInput } from '../../src/flows/userWallets';
import type { Flow } from '../kit/flow';
import { Refusal } from '../kit/refusal';
import type { SessionLine } from '../kit/session';
import { approve } from './approve';
import type { OnboardedUser } from './userOf';

/** What the approvals came to, filled as far as they came, whatever the end. */
export interface ApprovedWallets {
  /** Ids of wallets that were there. */
  adopted: string[];
  /** Ids of those that were made. */
  made: string[];
  /** Whether the last approval came after the deadline, or after the flow was called back. */
  late: boolean;
}

export interface WalletApprovals {
  user: OnboardedUser;
  /** Each is one approval. */
  requests: readonly UserWalletsInput[];
  /** The flow's deadline, epoch milliseconds. */
  until?: number;
}

type Wallet = Pick<WalletFacts, 'blockchain' | 'accountType'>;

const INITIALIZED: ReadonlySet<number | undefined> = new Set([CODES.userAlreadyInitialized, CODES.pinAlreadySet]);

/**
 * Has the user approve the wallets asked for: the first request with the user's initialization. A user who is initialized
 * (155106) or has a PIN already (155107) keeps the wallets it has, and is asked for the missing ones alone.
 * @throws Refusal
 */
export async function approveWallets(flow: Flow, approvals: WalletApprovals, approved: ApprovedWallets): Promise<void> {
  const { requests, until } = approvals;
  const { line } = approvals.user;
  const ask = async (call: keyof typeof STEPS, request: UserWalletsInput, more: boolean): Promise<void> => {
    const asked = { step: STEPS[call], call, body: request, until, more };
    const { correlationIds, approvedLate = false } = await approve(flow, line, asked);
    approved.late = approvedLate;
    // The approval may have come after a cancel, whose scope this step is in.
    const made = () => madeBy(line, request, approved);
    approved.made.push(...(correlationIds.length > 0 ? correlationIds : await flow.unstoppable(made)));
  };

  let left = requests.slice(1);
  if (await wasInitialized(approvals.user, () => ask('initializeUser', requests[0]!, left.length > 0))) {
    const wallets = await line.listWallets();
    approved.adopted.push(...requests.flatMap((request) => matching(wallets, request).map(({ id }) => id)));
    left = requests.map((request) => without(request, wallets)).filter(({ blockchains }) => blockchains.length > 0);
  }
  for (const [index, request] of left.entries()) await ask('createUserWallets', request, index + 1 < left.length);
}

/** Names of the effects: parts of idempotency keys. */
const STEPS = { initializeUser: 'initialize', createUserWallets: 'createWallets' } as const;

/** Whether the user was initialized before the flow; one who was not is initialized now. @throws Refusal */
async function wasInitialized({ line, by, adopted }: OnboardedUser, initialize: () => Promise<void>): Promise<boolean> {
  const hasPin = async () => (await line.readUser()).pinStatus !== 'UNSET';
  // Nobody who was just created has one.
  if (by === 'pin' && adopted && (await hasPin())) return true;
  try {
    await initialize();
    return false;
  } catch (error) {
    if (!(error instanceof Refusal) || !INITIALIZED.has(error.outcome.code)) throw error;
  }
  if (by === 'login' || (await hasPin())) return true;
  throw new Refusal({
    status: 'failed',
    reason: 'userId: the user logs in by email or at a provider and has no PIN',
    remedy: 'onboard the user by that method, or use another user id',
  });
}

/** What an approval made, where its challenge does not say. */
async function madeBy(
  line: SessionLine,
  request: UserWalletsInput,
  { adopted, made }: ApprovedWallets,
): Promise<string[]> {
  const known = new Set([...adopted, ...made]);
  return matching(await line.listWallets(), request)
    .map(({ id }) => id)
    .filter((id) => !known.has(id));
}

/** Wallets in the order of a request's blockchains: for each the one that is there, if one is. */
export function matching<W extends Wallet>(wallets: readonly W[], request: UserWalletsInput): W[] {
  return request.blockchains.flatMap((blockchain) => walletOn(wallets, request, blockchain) ?? []);
}

/** What a request asks for beyond the wallets that are there. */
function without(request: UserWalletsInput, wallets: readonly WalletFacts[]): UserWalletsInput {
  const missing = (index: number) => !walletOn(wallets, request, request.blockchains[index]!);
  return {
    ...request,
    blockchains: request.blockchains.filter((_, index) => missing(index)),
    ...(request.metadata && { metadata: request.metadata.filter((_, index) => missing(index)) }),
  };
}

function walletOn<W extends Wallet>(
  wallets: readonly W[],
  { accountType }: UserWalletsInput,
  blockchain: string,
): W | undefined {
  return wallets.find((wallet) => wallet.blockchain === blockchain && wallet.accountType === accountType);
}
