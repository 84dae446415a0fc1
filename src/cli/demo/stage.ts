import { createApi, paginate } from '../../api';
import type { FlowHandle } from '../../flows/handle';
import { createAdvance } from '../../temporal/advance';
import type { Progress } from '../../domain/progress';
import type { LocalStack } from '../local/stack';
import { fillWallet, type LocalWallet, makeWallets } from '../local/wallets';

/** Virtual time that passes before a flow is looked at again: more than a confirmation takes. */
const TURN_MS = 5 * 60_000;
const MOST_TURNS = 12;

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
  /** Lets time pass until a flow has ended or asks a person. */
  rest<R>(handle: FlowHandle<R>): Promise<Progress<R>>;
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

  return {
    stack,
    sender,
    empty,
    other,
    tokenId,
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
}
