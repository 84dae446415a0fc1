import { createApi, paginate } from '../../api';
import type { FlowHandle } from '../../client/flowHandle';
import { createAdvance } from '../../dev/advance';
import type { Progress } from '../../domain/progress';
import type { LocalStack } from '../local/stack';
import { BLOCKCHAIN, fundWallet, type LocalWallet, makeWallets } from '../local/wallets';
import { EndUser } from './endUser';

/** Virtual time between two checks of a flow; longer than a confirmation takes. */
const STEP_MS = 5 * 60_000;
const MAX_STEPS = 12;
/** Virtual time between two steps of flow and user; too short for anything to expire while they wait for each other. */
const SHORT_STEP_MS = 1_000;
const MAX_SHORT_STEPS = 60;

/** A token as the emulator's control lists it. */
interface ControlToken {
  id: string;
  blockchain: string;
  standard?: string;
}

/** A stack with wallets whose virtual time passes as fast as this machine can run it. */
export interface DemoEnvironment {
  stack: LocalStack;
  /** Has native tokens and USDC. */
  sender: LocalWallet;
  /** The two empty wallets hold nothing. */
  emptyWallet: LocalWallet;
  secondEmptyWallet: LocalWallet;
  /** Id of USDC. */
  tokenId: string;
  /** Approves challenges and logs in. */
  user: EndUser;
  /** Creates a smart-contract wallet with USDC, which its first transaction will deploy. */
  makeSmartContractWallet(): Promise<LocalWallet>;
  /** Puts NFTs of an ERC-1155 contract into the wallet of `sender`. @returns the token id of the contract */
  mintNfts(nfts: readonly { id: string; amount: string }[]): Promise<string>;
  /** Advances time until a flow has ended or needs attention. */
  waitForFlow<R>(handle: FlowHandle<R>): Promise<Progress<R>>;
  /** Advances time until each of these flows has ended or needs attention. */
  waitForFlows<R>(handles: readonly FlowHandle<R>[]): Promise<Progress<R>[]>;
  /** Advances time in short steps until a condition holds. @param description of the condition, for the timeout error */
  waitUntil(condition: () => Promise<boolean>, description: string): Promise<void>;
  /** Waits for a challenge other than `previous` that the flow's user has to approve. @returns its id */
  nextChallenge(handle: FlowHandle<unknown>, previous?: string): Promise<string>;
  /** Advances virtual time. */
  advance(durationMs: number): Promise<void>;
  /** Number of outbound transactions per flow, read from the API, by `<flow>/<ref>`. */
  countTransactions(): Promise<Map<string, number>>;
}

export async function createDemoEnvironment(stack: LocalStack): Promise<DemoEnvironment> {
  const { entity, world, flows } = stack;
  const [sender, emptyWallet, secondEmptyWallet] = await makeWallets(entity, 3);
  if (!sender || !emptyWallet || !secondEmptyWallet)
    throw new Error('The emulator created fewer wallets than requested');
  const tokenId = await fundWallet(entity, world, sender);
  const open = new Set<string>();
  const advance = createAdvance({ client: flows.client, world, flows: () => [...open, ...stack.startedByFlows] });

  const environment: DemoEnvironment = {
    stack,
    sender,
    emptyWallet,
    secondEmptyWallet,
    tokenId,
    user: new EndUser(world),
    advance,
    async makeSmartContractWallet() {
      const [wallet] = await makeWallets(entity, 1, 'SCA');
      if (!wallet) throw new Error('The emulator created no wallet');
      await fundWallet(entity, world, wallet);
      return wallet;
    },
    async mintNfts(nfts) {
      const { tokens } = await world.call<{ tokens: ControlToken[] }>('GET', '/tokens');
      const contract = tokens.find(({ standard, blockchain }) => standard === 'ERC1155' && blockchain === BLOCKCHAIN);
      if (!contract) throw new Error(`The emulator has no ERC-1155 contract on ${BLOCKCHAIN}`);
      const tokenId = contract.id;
      for (const { id: nftTokenId, amount } of nfts)
        await world.call('POST', `/wallets/${sender.id}/inbound`, { tokenId, nftTokenId, amount });
      await advance(STEP_MS);
      return tokenId;
    },
    async waitUntil(condition, description) {
      for (let step = 0; step < MAX_SHORT_STEPS; step++) {
        if (await condition()) return;
        await advance(SHORT_STEP_MS);
      }
      throw new Error(`Timed out after ${(MAX_SHORT_STEPS * SHORT_STEP_MS) / 1_000} seconds: ${description}`);
    },
    async nextChallenge(handle, previous) {
      open.add(handle.workflowId);
      let id: string | undefined;
      await environment.waitUntil(async () => {
        id = (await handle.progress()).approval?.challengeId;
        return id !== undefined && id !== previous;
      }, `a challenge of ${handle.workflowId}`);
      return id!;
    },
    async waitForFlow(handle) {
      const [progress] = await environment.waitForFlows([handle]);
      return progress!;
    },
    async waitForFlows(handles) {
      for (const { workflowId } of handles) open.add(workflowId);
      for (let step = 0; step < MAX_STEPS; step++) {
        await advance(STEP_MS);
        const all = await Promise.all(handles.map((handle) => handle.progress()));
        for (const [index, { outcome }] of all.entries()) if (outcome) open.delete(handles[index]!.workflowId);
        if (all.every(({ outcome, attention }) => outcome ?? attention)) return all;
      }
      const ids = handles.map(({ workflowId }) => workflowId).join(', ');
      throw new Error(`${ids}: neither ended nor needed attention within ${(MAX_STEPS * STEP_MS) / 60_000} minutes`);
    },
    async countTransactions() {
      const api = createApi(entity);
      const counts = new Map<string, number>();
      for await (const { refId } of paginate(
        api.listTransactions,
        { query: { txType: 'OUTBOUND', includeAll: true } },
        (body) => body.data.transactions,
      )) {
        // `<flow>/<ref>~<step>.<n>…`
        const flow = refId?.split('~')[0] ?? 'unknown';
        counts.set(flow, (counts.get(flow) ?? 0) + 1);
      }
      return counts;
    },
  };
  return environment;
}
