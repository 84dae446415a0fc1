import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiActivityName } from '../src/domain/activityTable';
import type { OutcomeStatus } from '../src/domain/outcome';
import type { FaultSpec } from '../src/emulator';
import { generateLocalIssuer, mintToken, toIssuer } from '../src/identity/localIssuer';
import { machineLoad } from './machineLoad';
import { type BenchStack, installBenchRuntime, startStack, transferInput } from './stack';

const OPERATION = 'createTransfer';
const POLL = 'getTransaction';
const LIST = 'listTransactions';
const CHECK_MS = 100;

interface Case {
  name: string;
  fault?: Pick<FaultSpec, 'count' | 'skip' | 'action'>;
  /** The greatest number of lookups that this should cost. */
  lookUps: number;
  /** What a person decides. */
  choice?: 'retry' | 'giveUp';
  /** How the transfer ends; `completed` if it is missing. */
  status?: OutcomeStatus;
}

const refusal = (code: number, status = 400) => ({ count: 1, action: { status, code, when: 'before' } }) as const;

const LOST = { count: 1, action: { drop: 'after' } } as const;

const CASES: readonly Case[] = [
  { name: 'succeeds at once', lookUps: 0 },
  { name: 'limited once (429)', fault: refusal(429, 429), lookUps: 0 },
  { name: 'not available once (503)', fault: { count: 1, action: { status: 503, when: 'before' } }, lookUps: 0 },
  { name: 'its reply is lost, the repeated key is refused (156020)', fault: LOST, lookUps: 1 },
  { name: 'refused as too early, once (155202)', fault: refusal(155202), lookUps: 0 },
  { name: 'refused once (155201), a person retries', fault: refusal(155201), lookUps: 2, choice: 'retry' },
  {
    name: 'refused (155201), a person gives up',
    fault: refusal(155201),
    lookUps: 1,
    choice: 'giveUp',
    status: 'failed',
  },
  { name: 'refused (155501), which is final', fault: refusal(155501), lookUps: 1, status: 'failed' },
];

export interface RefusalOptions {
  /** Transfers of each case. */
  count: number;
  print: (line: string) => void;
}

/**
 * Counts the requests that a transfer sends to the API, and how many of them are lookups, for each way in which its
 * submission can fail. All cases run in one stack, one after another.
 * @returns whether the budget was met: no case makes more lookups than the rules ask for
 */
export async function benchRefusal({ count, print }: RefusalOptions): Promise<boolean> {
  installBenchRuntime();
  const issuer = generateLocalIssuer();
  const stack = await startStack({ workflows: 'product', apiShare: 1, issuers: [toIssuer(issuer)], print });
  const token = await mintToken(issuer, 'bench');
  try {
    await stack.world.changeSettings({ limits: false, idempotency: 'reject' });
    // The worker reads the entity's public key once.
    await transfer(stack, undefined, 'completed', token);
    let atOnce = 0;
    let passed = true;
    for (const each of CASES) {
      const { requests, lookUps } = await measure(stack, each, count, token);
      atOnce ||= requests;
      const met = lookUps <= each.lookUps;
      passed &&= met;
      print(
        `${met ? '✔' : '✘'} ${each.name}: ${requests.toFixed(1)} requests, of them ${lookUps.toFixed(1)} lookups, ` +
          `ratio ${(requests / atOnce).toFixed(2)} · load ${machineLoad()}`,
      );
    }
    print('Requests of one transfer, without polls and without the lists of its lane; ratio to the first line');
    return passed;
  } finally {
    await stack.close();
  }
}

/** @returns the means of one transfer */
async function measure(
  stack: BenchStack,
  { fault, choice, status = 'completed' }: Case,
  count: number,
  token: string,
): Promise<{ requests: number; lookUps: number }> {
  const { world } = stack;
  await world.call('DELETE', '/journal');
  let lookUps = 0;
  for (let round = 0; round < count; round++) {
    await world.call('DELETE', '/faults');
    if (fault) await world.addFault({ operation: OPERATION, ...fault });
    lookUps += await lookUpsOf(stack, await transfer(stack, choice, status, token));
  }
  // Without the polls, whose number depends on the time that a transaction takes. The wallet's lane lists too, so the history
  // counts the lookups.
  const others = (await world.journal()).filter(({ operation }) => operation !== POLL && operation !== LIST);
  return { requests: (others.length + lookUps) / count, lookUps: lookUps / count };
}

/** How often a flow has called the activity that looks its transaction up. */
async function lookUpsOf({ flows }: BenchStack, workflowId: string): Promise<number> {
  const activity: ApiActivityName = 'findTransaction';
  const { events } = await flows.client.workflow.getHandle(workflowId).fetchHistory();
  return events!.filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === activity).length;
}

/** @returns its workflow id */
async function transfer(
  { flows, body }: BenchStack,
  choice: Case['choice'],
  status: string,
  token: string,
): Promise<string> {
  const flow = await flows.transfer.start(transferInput(body), { token });
  for (;;) {
    const { outcome, attention } = await flow.progress();
    if (outcome?.status === status) return flow.workflowId;
    if (outcome) throw new Error(`A transfer ended ${outcome.status}`);
    if (attention && choice) await flow.decide(choice, { token });
    await sleep(CHECK_MS);
  }
}
