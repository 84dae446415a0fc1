import { temporal } from '@temporalio/proto';
import type { FlowHandle } from '../../client/flowHandle';
import type { OutcomeStatus } from '../../domain/outcome';
import type { Progress } from '../../domain/progress';
import { STABLECOIN_ADDRESSES } from '../../domain/stablecoins';
import { BLOCKCHAIN, type LocalWallet } from '../local/wallets';
import type { TransferResult } from '../../flows/transfer';
import { attentionText, reasonText } from '../status';
import type { DemoEnvironment } from './demoEnvironment';

/** How a scenario ended. */
export interface ScenarioResult {
  /** `completed`, `attention` … */
  status: string;
  /** What happened, in one line. */
  text: string;
  /** Number of history events, without the time-skipping events that only virtual time adds. */
  events: number;
}

export interface Scenario {
  /** The flow that the scenario runs, as `<flow>/<ref>`. Several flows have this ref with a number. */
  flow: string;
  /** How many flows it runs; one if it is missing. */
  count?: number;
  /** The status that it must end with. */
  expected: OutcomeStatus | 'attention';
  run(environment: DemoEnvironment): Promise<ScenarioResult>;
}

/** Recipient of the demo's transfers, an address outside the world. */
export const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Policies of the demo, in addition to the built-in one. */
export const POLICIES = { hasty: [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'accelerate' } }] };

type Transfer = FlowHandle<TransferResult>;

/** Transfers that start at once from a new smart-contract wallet. */
const TEN = 10;
/** Transfers that wait behind a stuck one. */
const BEHIND = 2;
const NO_FUNDS = 'transfer/no-funds';
const NFTS = [
  { id: '1', amount: '3' },
  { id: '2', amount: '1' },
];

/** Four flows. The third one needs attention until the fourth one has funded its wallet. */
export const SCENARIOS: readonly Scenario[] = [
  {
    flow: 'transfer/plain',
    expected: 'completed',
    run: (environment) => runTransfer(environment, 'plain', environment.sender),
  },
  {
    flow: 'transfer/lost-reply',
    expected: 'completed',
    async run(environment) {
      const { world } = environment.stack;
      await world.addFault({ operation: 'createTransfer', count: 1, action: { drop: 'after' } });
      const lastSeq = (await world.journal({ operation: 'createTransfer' })).at(-1)?.seq ?? 0;
      const result = await runTransfer(environment, 'lost-reply', environment.sender);
      const sent = await world.journal({ operation: 'createTransfer', since: lastSeq });
      const keys = new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size;
      const summary =
        keys === 1 && sent.length === 2 ? 'sent again with the same key' : `${sent.length} requests, ${keys} keys`;
      return { ...result, text: `reply lost, ${summary}, ${result.text}` };
    },
  },
  {
    flow: NO_FUNDS,
    expected: 'attention',
    async run(environment) {
      const result = await runTransfer(environment, 'no-funds', environment.emptyWallet);
      return { ...result, text: `${result.text}, then: npx walletflow decide ${NO_FUNDS} retry` };
    },
  },
  {
    flow: 'fundTestnet/first',
    expected: 'completed',
    async run(environment) {
      const start = { ref: 'first', walletId: environment.emptyWallet.id, native: true, usdc: true };
      const handle = await environment.stack.flows.fundTestnet.start(start, await environment.stack.as('demo'));
      const progress = await environment.waitForFlow(handle);
      const { outcome } = progress;
      const count = outcome?.status === 'completed' ? outcome.result.transactions.length : 0;
      return scenarioResult(environment, handle, progress, `${count} faucet deposits arrived`);
    },
  },
  {
    flow: NO_FUNDS,
    expected: 'completed',
    async run(environment) {
      const handle = environment.stack.flows.transfer.get('no-funds');
      const { attention } = await handle.progress();
      await handle.decide('retry', { ...(await environment.stack.as('demo')), attention: attention?.id });
      const result = await finishTransaction(environment, handle);
      return { ...result, text: `funded, retried, ${result.text}` };
    },
  },
];

/** Added by `--all`. */
export const MORE_SCENARIOS: readonly Scenario[] = [
  {
    flow: 'transfer/cancelled',
    expected: 'cancelled',
    async run(environment) {
      await runTransfer(environment, 'cancelled', environment.secondEmptyWallet);
      const handle = environment.stack.flows.transfer.get('cancelled');
      const cancelResult = await handle.cancel(await environment.stack.as('demo'));
      const result = await finishTransaction(environment, handle);
      return { ...result, text: `cancellation ${cancelResult} before anything was sent, ${result.text}` };
    },
  },
  {
    flow: 'transfer/nfts',
    expected: 'completed',
    async run(environment) {
      const { sender, stack } = environment;
      const tokenId = await environment.mintNfts(NFTS);
      const input = { from: { walletId: sender.id }, to: RECIPIENT, tokenId, nfts: [...NFTS] };
      const handle = await stack.flows.transfer.start({ ref: 'nfts', ...input }, await stack.as('demo'));
      const result = await finishTransaction(environment, handle);
      return { ...result, text: `${NFTS.length} NFTs of an ERC-1155 contract, ${result.text}` };
    },
  },
  {
    flow: 'executeContract/call',
    expected: 'completed',
    async run(environment) {
      const { sender, stack } = environment;
      const call = {
        contractAddress: STABLECOIN_ADDRESSES[BLOCKCHAIN]!.USDC!,
        abiFunctionSignature: 'approve(address,uint256)',
        abiParameters: [RECIPIENT, '2000000'],
      };
      const input = { ref: 'call', from: { walletId: sender.id }, ...call };
      const handle = await stack.flows.executeContract.start(input, await stack.as('demo'));
      const result = await finishTransaction(environment, handle);
      const [movement] = (await handle.progress()).call?.movements ?? [];
      return { ...result, text: `${movement?.recipient} may take ${movement?.amount} USDC, ${result.text}` };
    },
  },
  {
    flow: 'transfer/stuck',
    expected: 'completed',
    async run(environment) {
      const { world } = environment.stack;
      await world.call('POST', '/transactions/next', { stuck: true });
      const result = await runTransfer(environment, 'stuck', environment.sender, { policy: 'hasty' });
      const accelerated = (await world.counts()).accelerateTransaction?.committed ?? 0;
      return {
        ...result,
        text: `stuck, accelerated ${accelerated === 1 ? 'once' : `${accelerated} times`}, ${result.text}`,
      };
    },
  },
];

/** Added by `--all`: flows that send from the same wallet at the same time. */
export const LANE_SCENARIOS: readonly Scenario[] = [
  {
    flow: 'transfer/ten',
    count: TEN,
    expected: 'completed',
    async run(environment) {
      const { stack } = environment;
      const wallet = await environment.makeSmartContractWallet();
      const handles = await startTransfers(environment, 'ten', wallet, TEN);
      const isFirstAlone = async () =>
        (await stack.flows.lane(wallet.id).progress())?.waiting === TEN - 1 &&
        (await sentCount(environment, handles)) === 1;
      await environment.waitUntil(isFirstAlone, 'one transaction, and nine flows that wait');
      const result = await finishTransfers(environment, handles);
      return { ...result, text: `at once from an undeployed smart-contract wallet, the first alone, ${result.text}` };
    },
  },
  {
    flow: 'transfer/lane',
    count: 1 + BEHIND,
    expected: 'completed',
    async run(environment) {
      const { stack, sender } = environment;
      await stack.world.call('POST', '/transactions/next', { stuck: true });
      const [stuck] = await startTransfers(environment, 'lane', sender, 1);
      const { attention } = await environment.waitForFlow(stuck!);
      const behind = await startTransfers(environment, 'lane', sender, BEHIND, 2);
      const lane = async () => (await stack.flows.lane(sender.id).progress())!;
      await environment.waitUntil(
        async () => (await lane()).waiting === BEHIND,
        'the others to wait behind the stuck transaction',
      );
      const { waiting, blockedBy } = await lane();
      const isBlocked = blockedBy?.flow === stuck!.workflowId ? `, ${waiting} wait behind it` : '';
      await stuck!.decide('accelerate', { ...(await stack.as('demo')), attention: attention?.id });
      const result = await finishTransfers(environment, [stuck!, ...behind]);
      return { ...result, text: `one is stuck${isBlocked}; accelerated by a decision, ${result.text}` };
    },
  },
];

/** Starts transfers of 1 USDC at once. @param number of the first one's ref */
async function startTransfers(
  { stack, tokenId }: DemoEnvironment,
  ref: string,
  from: LocalWallet,
  count: number,
  number = 1,
): Promise<Transfer[]> {
  const as = await stack.as('demo');
  const input = { from: { walletId: from.id }, to: RECIPIENT, tokenId, amount: '1' };
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      stack.flows.transfer.start({ ref: `${ref}-${number + index}`, ...input }, as),
    ),
  );
}

/** How many transactions these flows have sent, as the API counts them. */
async function sentCount(environment: DemoEnvironment, handles: readonly Transfer[]): Promise<number> {
  const counts = await environment.countTransactions();
  return handles.reduce((sum, { ref }) => sum + (counts.get(`transfer/${ref}`) ?? 0), 0);
}

/** Waits for transfers. The result is that of the first one that did not complete, if any, and has the events of all. */
async function finishTransfers(environment: DemoEnvironment, handles: readonly Transfer[]): Promise<ScenarioResult> {
  const progress = await environment.waitForFlows(handles);
  const sent = await sentCount(environment, handles);
  const results = await Promise.all(
    handles.map((handle, index) => scenarioResult(environment, handle, progress[index]!, `${sent} transactions`)),
  );
  const result = results.find(({ status }) => status !== 'completed') ?? results[0]!;
  return { ...result, events: results.reduce((sum, { events }) => sum + events, 0) };
}

async function runTransfer(
  environment: DemoEnvironment,
  ref: string,
  from: LocalWallet,
  options: { policy?: string } = {},
): Promise<ScenarioResult> {
  const { flows } = environment.stack;
  const input = { from: { walletId: from.id }, to: RECIPIENT, tokenId: environment.tokenId, amount: '1.50' };
  return finishTransaction(
    environment,
    await flows.transfer.start({ ref, ...options, ...input }, await environment.stack.as('demo')),
  );
}

/** Waits for a flow and counts its transactions in the API. */
export async function finishTransaction(
  environment: DemoEnvironment,
  handle: FlowHandle<unknown>,
): Promise<ScenarioResult> {
  const progress = await environment.waitForFlow(handle);
  const count = (await environment.countTransactions()).get(`${progress.flow}/${progress.ref}`) ?? 0;
  return scenarioResult(environment, handle, progress, `${COUNTS[count] ?? count} transaction${count > 1 ? 's' : ''}`);
}

const COUNTS = ['no', 'one', 'two'];

const {
  EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED: OPTIONS_UPDATED,
  EVENT_TYPE_WORKFLOW_EXECUTION_TIME_SKIPPING_TRANSITIONED: TIME_SKIPPED,
} = temporal.api.enums.v1.EventType;
const TIME_SKIPPING = new Set<unknown>([OPTIONS_UPDATED, TIME_SKIPPED]);

/** @param text shown if the flow succeeded or was cancelled */
export async function scenarioResult(
  { stack }: DemoEnvironment,
  { workflowId }: FlowHandle<unknown>,
  { outcome, attention }: Progress,
  text: string,
): Promise<ScenarioResult> {
  const history = await stack.flows.client.workflow.getHandle(workflowId).fetchHistory();
  const events = (history.events ?? []).filter(({ eventType }) => !TIME_SKIPPING.has(eventType)).length;
  if (outcome) {
    const wentWell = outcome.status === 'completed' || outcome.status === 'cancelled';
    return { status: outcome.status, text: wentWell ? text : reasonText(outcome), events };
  }
  return { status: 'attention', text: attention ? attentionText(attention) : '', events };
}
