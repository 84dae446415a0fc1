import type { FlowHandle } from '../../../src/client/flowHandle';
import type { FlowApi } from '../../../src/client/openFlows';
import type { FlowName } from '../../../src/domain/flowNames';
import type { Progress } from '../../../src/domain/progress';
import { approveListed, challengesToApprove } from '../onboarding';
import type { Stack } from '../stack';
import type { Script, Scripts } from './script';

export const STEP_MS = 10 * 60_000;
const STEPS = 10;

/** A flow whose script is played. */
export interface Played {
  script: Script;
  flow: FlowHandle<unknown>;
}

/** Prepares the script without a fault, adds the fault if there is one, and starts the flow with an empty journal. */
export async function startScript(
  stack: Stack,
  prepare: Scripts[string],
  addFault?: () => Promise<unknown>,
): Promise<Played> {
  await stack.world.control.clearFaults();
  const script = await prepare(stack);
  await stack.world.control.clearJournal();
  await addFault?.();
  const flow = await (stack.flows[script.flow] as FlowApi<FlowName>).start(script.input as never);
  return { script, flow: flow as FlowHandle<unknown> };
}

interface PlayOptions {
  /** Whether to stop before the end. */
  isEnd?: (progress: Progress) => boolean;
  /** Time between two steps. */
  stepMs?: number;
}

/** Plays the script until its flow ends or asks a person. */
export async function playScript(
  stack: Stack,
  { script, flow }: Played,
  { isEnd = () => false, stepMs = STEP_MS }: PlayOptions = {},
): Promise<Progress> {
  // Until the flow waits for something, its user can't do anything.
  await stack.advance(0);
  for (let step = 0; ; step++) {
    const progress = await flow.progress();
    if (progress.outcome || progress.attention || isEnd(progress) || step === STEPS) return progress;
    await approveShown(stack, progress);
    await script.play?.(flow, progress).catch(() => undefined);
    await stack.advance(stepMs);
  }
}

/** A user approves the challenge that the flow shows. What a fault prevents is tried again in the next step. */
async function approveShown(stack: Stack, { approval }: Progress): Promise<void> {
  const challenge = (await challengesToApprove(stack)).find(({ id }) => id === approval?.challengeId);
  if (challenge) await approveListed(stack, challenge).catch(() => undefined);
}
