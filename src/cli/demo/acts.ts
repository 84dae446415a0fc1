import { temporal } from '@temporalio/proto';
import type { FlowHandle } from '../../flows/handle';
import type { Outcome } from '../../domain/outcome';
import type { Progress } from '../../domain/progress';
import { attentionText } from '../status';
import type { LocalWallet } from '../local/wallets';
import type { Stage } from './stage';

/** How an act ended. */
export interface Ending {
  /** `completed`, `attention` … */
  word: string;
  /** What was to be seen, in one line. */
  text: string;
  /** Of the flow's history, without those that skip time: nobody's flows have them but the demo's. */
  events: number;
}

export interface Act {
  /** The flow that it shows, as `<flow>/<ref>`. */
  flow: string;
  /** The word that it has to end with. */
  ends: Outcome['status'] | 'attention';
  play(stage: Stage): Promise<Ending>;
}

/** Where the demo's transfers go to: nobody's wallet. */
export const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Policies of the demo, beside the built-in one. */
export const POLICIES = { hasty: [{ version: 1, transfer: { feeLevel: 'MEDIUM', stuck: 'accelerate' } }] };

const NO_FUNDS = 'transfer/no-funds';

/** Four flows; the third one waits until the fourth has brought what it lacks. */
export const ACTS: readonly Act[] = [
  {
    flow: 'transfer/plain',
    ends: 'completed',
    play: (stage) => playTransfer(stage, 'plain', stage.sender),
  },
  {
    flow: 'transfer/lost-reply',
    ends: 'completed',
    async play(stage) {
      const { world } = stage.stack;
      await world.addFault({ operation: 'createTransfer', count: 1, action: { drop: 'after' } });
      const before = (await world.journal({ operation: 'createTransfer' })).at(-1)?.seq ?? 0;
      const ending = await playTransfer(stage, 'lost-reply', stage.sender);
      const sent = await world.journal({ operation: 'createTransfer', since: before });
      const keys = new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size;
      const again =
        keys === 1 && sent.length === 2 ? 'sent again with the same key' : `${sent.length} requests, ${keys} keys`;
      return { ...ending, text: `reply lost, ${again}, ${ending.text}` };
    },
  },
  {
    flow: NO_FUNDS,
    ends: 'attention',
    async play(stage) {
      const ending = await playTransfer(stage, 'no-funds', stage.empty);
      return { ...ending, text: `${ending.text}: npx walletflow decide ${NO_FUNDS} retry` };
    },
  },
  {
    flow: 'fundTestnet/first',
    ends: 'completed',
    async play(stage) {
      const start = { ref: 'first', walletId: stage.empty.id, native: true, usdc: true };
      const handle = await stage.stack.flows.fundTestnet.start(start);
      const progress = await stage.rest(handle);
      const { length } = progress.outcome?.result?.transactions ?? [];
      return endingOf(stage, handle, progress, `${length} deposits of the faucet arrived`);
    },
  },
  {
    flow: NO_FUNDS,
    ends: 'completed',
    async play(stage) {
      const handle = stage.stack.flows.transfer.get('no-funds');
      await handle.decide('retry', await stage.stack.as('demo'));
      const ending = await restOfTransfer(stage, handle);
      return { ...ending, text: `funded, told to retry, ${ending.text}` };
    },
  },
];

/** What `--all` adds. */
export const MORE_ACTS: readonly Act[] = [
  {
    flow: 'transfer/called-back',
    ends: 'cancelled',
    async play(stage) {
      await playTransfer(stage, 'called-back', stage.other);
      const handle = stage.stack.flows.transfer.get('called-back');
      const answer = await handle.cancel(await stage.stack.as('demo'));
      const ending = await restOfTransfer(stage, handle);
      return { ...ending, text: `cancel ${answer} before anything was sent, ${ending.text}` };
    },
  },
  {
    flow: 'transfer/stuck',
    ends: 'completed',
    async play(stage) {
      const { world } = stage.stack;
      await world.call('POST', '/transactions/next', { stuck: true });
      const ending = await playTransfer(stage, 'stuck', stage.sender, { policy: 'hasty' });
      const accelerated = (await world.counts()).accelerateTransaction?.committed ?? 0;
      return {
        ...ending,
        text: `stuck, accelerated ${accelerated === 1 ? 'once' : `${accelerated} times`}, ${ending.text}`,
      };
    },
  },
];

async function playTransfer(
  stage: Stage,
  ref: string,
  from: LocalWallet,
  options: { policy?: string } = {},
): Promise<Ending> {
  const { flows } = stage.stack;
  const input = { from: { walletId: from.id }, to: RECIPIENT, tokenId: stage.tokenId, amount: '1.50' };
  return restOfTransfer(stage, await flows.transfer.start({ ref, ...options, ...input }));
}

/** Waits for a transfer, and counts what the API has of it. */
export async function restOfTransfer(stage: Stage, handle: FlowHandle<unknown>): Promise<Ending> {
  const progress = await stage.rest(handle);
  const count = (await stage.countTransactions()).get(`transfer/${handle.ref}`) ?? 0;
  return endingOf(stage, handle, progress, `${COUNTS[count] ?? count} transaction${count > 1 ? 's' : ''}`);
}

const COUNTS = ['no', 'one', 'two'];

const {
  EVENT_TYPE_WORKFLOW_EXECUTION_OPTIONS_UPDATED: ASKED,
  EVENT_TYPE_WORKFLOW_EXECUTION_TIME_SKIPPING_TRANSITIONED: DONE,
} = temporal.api.enums.v1.EventType;
const TIME_SKIPPING = new Set<unknown>([ASKED, DONE]);

/** @param text what to say when the flow went well */
export async function endingOf(
  { stack }: Stage,
  { workflowId }: FlowHandle<unknown>,
  { outcome, attention }: Progress,
  text: string,
): Promise<Ending> {
  const history = await stack.flows.client.workflow.getHandle(workflowId).fetchHistory();
  const events = (history.events ?? []).filter(({ eventType }) => !TIME_SKIPPING.has(eventType)).length;
  if (outcome) {
    const wentWell = outcome.status === 'completed' || outcome.status === 'cancelled';
    return { word: outcome.status, text: wentWell ? text : `${outcome.reason} → ${outcome.remedy}`, events };
  }
  return { word: 'attention', text: attention ? attentionText(attention) : '', events };
}
