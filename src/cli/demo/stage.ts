import { createApi, paginate } from '../../api';
import type { FlowHandle } from '../../flows/handle';
import { createAdvance } from '../../temporal/advance';
import type { Progress } from '../../domain/progress';
import type { LocalStack } from '../local/stack';
import { fillWallet, type LocalWallet, makeWallets } from '../local/wallets';
import { EndUser } from './endUser';

/** Virtual time that passes before a flow is looked at again: more than a confirmation takes. */
const TURN_MS = 5 * 60_000;
const MOST_TURNS = 12;
/** Virtual time in which flow and user take turns: nothing that they wait for from each other is over by then. */
const MOMENT_MS = 1_000;
const MOST_MOMENTS = 60;

/** A stack with wallets in it, whose time passes as fast as this machine can. */
export interface Stage {
  stack: LocalStack;
  /** Has native tokens and USDC. */
  sender: LocalWallet;
  /** Have nothing. */
  empty: LocalWallet;
  other: LocalWallet;
  /** Id of USDC. */
  tokenId: string;
  /** Who approves and logs in. */
  user: EndUser;
  /** Lets time pass until a flow has ended or asks a person. */
  rest<R>(handle: FlowHandle<R>): Promise<Progress<R>>;
  /** Lets moments pass until something is so. @param what for the error when it never is */
  moment(condition: () => Promise<boolean>, what: string): Promise<void>;
  /** Id of the challenge that a flow's user is asked to approve, as soon as it is another one than `before`. */
  challenge(handle: FlowHandle<unknown>, before?: string): Promise<string>;
  /** Lets time pass. */
  pass(durationMs: number): Promise<void>;
  /** Transactions that the API shows for each flow that has any, by `<flow>/<ref>`. */
  countTransactions(): Promise<Map<string, number>>;
}

export async function setStage(stack: LocalStack): Promise<Stage> {
  const { entity, world, flows } = stack;
  const [sender, empty, other] = await makeWallets(entity, 3);
  if (!sender || !empty || !other) throw new Error('The emulator made fewer wallets than it was asked for');
  const tokenId = await fillWallet(entity, world, sender);
  const open = new Set<string>();
  const advance = createAdvance({ client: flows.client, world, flows: () => [...open, ...stack.startedByFlows] });

  const stage: Stage = {
    stack,
    sender,
    empty,
    other,
    tokenId,
    user: new EndUser(world),
    pass: advance,
    async moment(condition, what) {
      for (let moment = 0; moment < MOST_MOMENTS; moment++) {
        if (await condition()) return;
        await advance(MOMENT_MS);
      }
      throw new Error(`${what} has not come within ${(MOST_MOMENTS * MOMENT_MS) / 1_000} seconds`);
    },
    async challenge(handle, before) {
      open.add(handle.workflowId);
      let id: string | undefined;
      await stage.moment(async () => {
        id = (await handle.progress()).approval?.challengeId;
        return id !== undefined && id !== before;
      }, `a challenge of ${handle.workflowId}`);
      return id!;
    },
    async rest(handle) {
      open.add(handle.workflowId);
      for (let turn = 0; turn < MOST_TURNS; turn++) {
        await advance(TURN_MS);
        const progress = await handle.progress();
        if (progress.outcome) open.delete(handle.workflowId);
        if (progress.outcome || progress.attention) return progress;
      }
      throw new Error(
        `${handle.workflowId} has neither ended nor asked within ${(MOST_TURNS * TURN_MS) / 60_000} minutes`,
      );
    },
    async countTransactions() {
      const api = createApi(entity);
      const counts = new Map<string, number>();
      for await (const { refId } of paginate(
        api.listTransactions,
        { query: { txType: 'OUTBOUND' } },
        (body) => body.data.transactions,
      )) {
        // `<flow>/<ref>~<step>.<n>…`
        const flow = refId?.split('~')[0] ?? 'nobody';
        counts.set(flow, (counts.get(flow) ?? 0) + 1);
      }
      return counts;
    },
  };
  return stage;
}
