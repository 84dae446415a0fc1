import type { FlowHandle } from '../../src/client/flowHandle';
import type { FaultSpec } from '../../src/emulator';
import { resetToLastCall } from '../support/history';
import { resolveChallenge } from '../support/payers';
import type { Stack } from '../support/stack';
import { until } from '../support/until';
import { approve, challengeOf } from '../support/users';
import { attention, ended, fault, following, MINUTE, next, SECOND, SLOW } from './moments';
import type { RunScenario } from './runScenario';
import { contractCall, transfer, userContractCall, userTransfer } from './starts';

type Start = (stack: Stack, more?: { policy?: string }) => Promise<FlowHandle<unknown>>;

/** A flow that sends a transaction. */
interface Sender {
  fromDeveloperWallet: Start;
  fromUserWallet: Start;
  /** Sends it. */
  create: NonNullable<FaultSpec['operation']>;
  /** A read of the step `validate`. */
  read: FaultSpec['operation'];
}

const SENDERS: Record<string, Sender> = {
  transfer: {
    fromDeveloperWallet: transfer,
    fromUserWallet: userTransfer,
    create: 'createTransfer',
    read: 'validateAddress',
  },
  executeContract: {
    fromDeveloperWallet: contractCall,
    fromUserWallet: userContractCall,
    create: 'createContractExecution',
    read: 'getDeveloperWallet',
  },
};

/** What every flow that sends a transaction gets into. Keys: `<flow>.<scenario>`. */
export const TRANSACTION_SCENARIOS: Record<string, RunScenario> = Object.fromEntries(
  Object.entries(SENDERS).flatMap(([flow, sender]) =>
    Object.entries(scenariosOf(sender)).map(([name, run]) => [`${flow}.${name}`, run]),
  ),
);

function scenariosOf({ fromDeveloperWallet, fromUserWallet, create, read }: Sender): Record<string, RunScenario> {
  return {
    completed: async (stack) => ended(stack, await fromDeveloperWallet(stack), { status: 'completed' }),
    lostReplyAdopted: async (stack) => {
      await fault(stack, create, { drop: 'after' });
      return ended(stack, await fromDeveloperWallet(stack), { status: 'completed' });
    },
    unknownOutcomeRetried: async (stack) => {
      await fault(stack, create, { status: 403, code: 156020, when: 'before' });
      const flow = await fromDeveloperWallet(stack);
      await attention(stack, flow, 156020);
      await flow.decide('lookAgain', await stack.as('ops'));
      await attention(stack, flow, 156020);
      await flow.decide('retry', await stack.as('ops'));
      return ended(stack, flow, { status: 'completed' });
    },
    failedOnChain: async (stack) => {
      await next(stack, { fail: { errorReason: 'FAILED_ON_CHAIN' } });
      return ended(stack, await fromDeveloperWallet(stack), { status: 'failed', reason: 'FAILED_ON_CHAIN' });
    },
    denied: async (stack) => {
      await next(stack, { deny: true });
      return ended(stack, await fromDeveloperWallet(stack), { status: 'denied' });
    },
    feeAccepted: async (stack) => {
      const flow = await fromDeveloperWallet(stack, { policy: 'thrifty' });
      await attention(stack, flow);
      await flow.decide('acceptFee', await stack.as('ops'));
      return ended(stack, flow, { status: 'completed' });
    },
    cancelledWhileReading: async (stack) => {
      await fault(stack, read, { delayMs: 3 * SECOND });
      const flow = await fromDeveloperWallet(stack);
      await until(async () => (await flow.progress()).step === 'validate');
      expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
      return ended(stack, flow, { status: 'cancelled' });
    },
    cancelledAtApi: async (stack) => {
      await next(stack, SLOW);
      const flow = await following(await fromDeveloperWallet(stack));
      expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
      return ended(stack, flow, { status: 'cancelled' });
    },
    stuckThenAccelerated: async (stack) => {
      await next(stack, { stuck: true });
      return ended(stack, await fromDeveloperWallet(stack, { policy: 'accelerating' }), { status: 'completed' });
    },
    reset: async (stack) => {
      await next(stack, SLOW);
      const flow = await following(await fromDeveloperWallet(stack));
      await resetToLastCall(stack.flows.client, flow.workflowId, create);
      return ended(stack, flow, { status: 'completed' });
    },
    waitingToBeFinal: async (stack) => {
      await next(stack, SLOW);
      return following(await fromDeveloperWallet(stack));
    },
    approvedByUser: async (stack) => {
      const flow = await fromUserWallet(stack);
      await approve(stack, await challengeOf(flow));
      return ended(stack, flow, { status: 'completed' });
    },
    declinedByUser: async (stack) => {
      const flow = await fromUserWallet(stack);
      await resolveChallenge(stack, await challengeOf(flow), 'reject');
      return ended(stack, flow, { status: 'denied', code: 155701 });
    },
    checkedAgainAfterExpiry: async (stack) => {
      const flow = await fromUserWallet(stack, { policy: 'fresh' });
      const first = await challengeOf(flow);
      await stack.advance(10 * MINUTE);
      await resolveChallenge(stack, first, 'expire');
      await stack.advance(3 * MINUTE);
      await approve(stack, await challengeOf(flow, first));
      return ended(stack, flow, { status: 'completed' });
    },
    waitingForApproval: async (stack) => {
      const flow = await fromUserWallet(stack);
      await challengeOf(flow);
      return flow;
    },
  };
}
