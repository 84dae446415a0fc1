import { workflowInfo } from '@temporalio/workflow';
import type { InboundFacts } from '../../activities';
import { option, type Problem } from '../../src/domain/attention';
import {
  arrivedOf,
  describeDeposits,
  dripWindow,
  type ExpectedDeposit,
  expectedDeposits,
  isExpected,
} from '../../src/domain/faucet';
import { LOOK_UP_MAX_PAGES } from '../../src/domain/retryRules';
import type { FundTestnetInput } from '../../src/flows/fundTestnet';
import { apiActivities } from '../kit/activities';
import { apiFailure, failedOutcome, isTimeout, problemOf } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { IncompleteLookUp } from '../kit/lookUp';
import { perform } from '../kit/perform';
import { type ReadOptions, readOrAsk } from '../kit/readOrAsk';
import { DepositReader, type TokenDeposit } from './depositReader';

/** Faucets send within seconds, and every blockchain with a faucet is final within five minutes. */
const ARRIVAL_TIMEOUT_MS = 10 * 60_000;

const KEEP_WAITING = option('keepWaiting', 'waits another ten minutes');
const GIVE_UP = option('giveUp', 'ends the flow as failed; the tokens may still arrive');

/** A request to the faucet, and how its deposits are recognized. */
export interface RequestedDrip {
  walletId: string;
  expected: ExpectedDeposit[];
  /** ISO 8601. Deposits before it cannot be those of the request. */
  from: string;
  /** Deposits since then that were in the wallet before the request. */
  knownIds: string[];
  reader: DepositReader;
}

/** A drip that is about to be requested. */
export interface PreparedDrip extends RequestedDrip {
  body: Parameters<Flow['api']['requestDrip']>[1];
}

/** Reads what has to be known before a request to the faucet. It may be repeated until then. */
export async function prepareDrip(flow: Flow, input: FundTestnetInput): Promise<PreparedDrip> {
  const { walletId, native, usdc, eurc } = input;
  const tokens = { native, usdc, eurc };
  const from = dripWindow(workflowInfo().startTime);
  const [wallet, known] = await Promise.all([
    flow.api.readWallet({ id: walletId }),
    findDeposits(flow, { walletId, from }).catch(tooManyDeposits),
  ]);
  return {
    walletId,
    expected: expectedDeposits(wallet.blockchain, tokens),
    from,
    knownIds: isFirstRun() ? known.map(({ id }) => id) : [],
    reader: new DepositReader(flow),
    body: { address: wallet.address, blockchain: wallet.blockchain as never, ...tokens },
  };
}

/**
 * Requests tokens from the faucet. A drip has no idempotency key and no id. The flow recognizes its deposits by token and
 * amount, among those since its first start. A drip with an unknown outcome is looked up, not sent again
 * (docs/architecture.md#effects-happen-once).
 */
export async function requestDrip(flow: Flow, { body, ...drip }: PreparedDrip): Promise<RequestedDrip> {
  flow.addResources({ walletId: drip.walletId });
  flow.commit();
  await perform(flow, {
    step: 'drip',
    send: async (effect) => {
      await flow.api.requestDrip(effect, body);
      return true;
    },
    find: async () => (await hasDripped(flow, drip)) || undefined,
  });
  flow.passPointOfNoReturn();
  return drip;
}

/**
 * Waits until all expected tokens are in the wallet. If some are overdue, or the wallet cannot be read, the flow asks
 * for a decision.
 */
export async function awaitDrip(flow: Flow, drip: RequestedDrip): Promise<TokenDeposit[]> {
  flow.waitFor('the tokens to arrive');
  const deposits: TokenDeposit[] = [];
  let overdueAt = Date.now() + ARRIVAL_TIMEOUT_MS;
  for (;;) {
    const read = (options: ReadOptions) => nextDeposits(flow, drip, deposits, { overdueAt, ...options });
    const arriving = await readOrAsk(read, async (error) => {
      const problem = await problemWith(flow, drip, deposits, error);
      if ((await flow.awaitDecision({ ...problem, options: [KEEP_WAITING, GIVE_UP] })) === 'giveUp')
        throw failedOutcome({ ...problem, remedy: 'check the wallet, and request what is missing with a new ref' });
      overdueAt = Date.now() + ARRIVAL_TIMEOUT_MS;
    });
    deposits.push(...arriving);
    const { arrived, missing } = arrivedOf(drip.expected, deposits);
    if (missing.length === 0) return arrived;
  }
}

/** The drip makes all its deposits, so one of them shows that the faucet has accepted the request. */
async function hasDripped(flow: Flow, drip: RequestedDrip): Promise<boolean> {
  const deposits = await depositsSince(flow, drip);
  return deposits.some((deposit) => drip.expected.some((each) => isExpected(each, deposit)));
}

/** All deposits of the request, in any state, and others of the same time. */
async function depositsSince(flow: Flow, drip: RequestedDrip): Promise<TokenDeposit[]> {
  const inbound = await findDeposits(flow, drip);
  return drip.reader.withTokens(inbound.filter(({ id }) => !drip.knownIds.includes(id)));
}

/** @throws IncompleteLookUp if there are too many to read */
async function findDeposits(
  flow: Flow,
  { walletId, from }: Pick<RequestedDrip, 'walletId' | 'from'>,
): Promise<InboundFacts[]> {
  const all: InboundFacts[] = [];
  let pageAfter: string | undefined;
  for (let pages = 0; pages < LOOK_UP_MAX_PAGES; pages++) {
    const page = await flow.api.findInbound(walletId, { from, ...(pageAfter && { pageAfter }) });
    all.push(...page.found);
    ({ pageAfter } = page);
    if (!pageAfter) return all;
  }
  throw new IncompleteLookUp(`More than ${LOOK_UP_MAX_PAGES} pages of deposits`);
}

/** An old deposit that the flow does not know could pass for the drip. Nothing has been requested yet. */
function tooManyDeposits(error: unknown): never {
  if (!(error instanceof IncompleteLookUp)) throw error;
  const reason = `walletId: ${error.message} have arrived in the last minutes, too many to tell the drip from them`;
  throw failedOutcome({ reason, remedy: 'fund another wallet, or try again later' });
}

/** In a run after a reset, what is in the wallet before the request may be what an earlier run has requested. */
function isFirstRun(): boolean {
  const { runId, firstExecutionRunId } = workflowInfo();
  return runId === firstExecutionRunId;
}

/** Waits for further complete deposits. @param seen the ones before */
async function nextDeposits(
  flow: Flow,
  { walletId, from, knownIds, reader }: RequestedDrip,
  seen: readonly TokenDeposit[],
  { overdueAt, untilReadable }: ReadOptions & { overdueAt: number },
): Promise<TokenDeposit[]> {
  const options = untilReadable
    ? { untilReadable }
    : { scheduleToCloseTimeout: Math.max(overdueAt - Date.now(), 1_000) };
  const window = { from, knownIds: [...knownIds, ...seen.map(({ id }) => id)] };
  return reader.withTokens(await apiActivities(flow.start.entity, options).followInbound(walletId, window));
}

/**
 * Why the flow cannot wait any longer without a decision.
 * @param deposits those that the flow knows, in case the wallet cannot be read
 * @throws every error that is not the API's or a timeout
 */
async function problemWith(
  flow: Flow,
  drip: RequestedDrip,
  deposits: readonly TokenDeposit[],
  error: unknown,
): Promise<Problem> {
  if (!isTimeout(error)) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    return problemOf(failure, "the wallet can't be read");
  }
  const current = await depositsSince(flow, drip).catch((readError: unknown) => {
    if (!apiFailure(readError) && !(readError instanceof IncompleteLookUp)) throw readError;
    return deposits;
  });
  return {
    name: 'DripOverdue',
    reason: describeDeposits(drip.expected, current),
    remedy: 'check the wallet; the faucet limits requests per day',
  };
}
