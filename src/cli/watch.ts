import { setTimeout as sleep } from 'node:timers/promises';
import { FlowNotFoundError } from '../flows/errors';
import type { FlowHandle } from '../flows/handle';
import type { Progress } from '../domain/progress';
import { EXIT, type ExitCode } from './exitCodes';
import { RefusedError } from './failure';
import { withFlow } from './flowRef';
import { Screen } from './screen';
import { headline, MARKS, notes, progressLines, resultFields, statusOf } from './status';
import { stopSignal } from './stopSignal';
import type { Terminal } from './terminal';

/** How often a flow is asked. Each question is a query that a worker answers; it adds nothing to the history. */
const EVERY_MS = 1_000;

export async function run(terminal: Terminal, { json }: { json?: boolean }, flowRef: string): Promise<ExitCode> {
  const told = stopSignal();
  const show = shower(terminal, json === true);
  return withFlow(terminal, flowRef, async (handle) => {
    for await (const progress of follow(handle, told)) {
      show(progress);
      if (progress.outcome) return progress.outcome.status === 'completed' ? EXIT.done : EXIT.refused;
    }
    // Told to stop: the flow has not completed, and a script must not go on as if it had.
    return EXIT.refused;
  });
}

/** The flow's progress until it has ended or `told` resolves; the last one has the outcome. */
async function* follow(handle: FlowHandle<unknown>, told: Promise<unknown>): AsyncGenerator<Progress, void, void> {
  let stopped = false;
  void told.then(() => (stopped = true));
  // Known without a worker too; heard of by the loop alone.
  const end = handle.result().then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error }),
  );
  for (;;) {
    const progress = await handle.progress();
    yield progress;
    if (progress.outcome || stopped) return;
    const ended = await Promise.race([end, told.then(() => undefined), sleep(EVERY_MS, undefined)]);
    if (stopped) return;
    if (!ended) continue;
    if ('error' in ended) throw notEnded(handle, ended.error);
    // Where no worker answered before, none is waited for again.
    const last = progress.steps.length > 0 ? await handle.progress() : progress;
    yield { ...last, attention: undefined, waitingFor: undefined, outcome: ended.outcome };
    return;
  }
}

function notEnded({ workflowId }: FlowHandle<unknown>, error: unknown): unknown {
  if (error instanceof FlowNotFoundError || !(error instanceof Error) || error.name !== 'WorkflowFailedError')
    return error;
  const cause = error.cause instanceof Error ? error.cause.message : error.message;
  return new RefusedError(`${workflowId} was stopped from outside and has no outcome: ${cause}`);
}

/** A person sees the whole flow, drawn anew; a pipe gets a line for each change, of JSON where that is wanted. */
function shower({ out, interactive }: Terminal, json: boolean): (progress: Progress) => void {
  if (interactive && !json) {
    const screen = new Screen(out);
    return (progress) => screen.draw(progressLines(progress));
  }
  let before: Progress | undefined;
  return (progress) => {
    const lines = changeLines(before, progress, new Date());
    before = progress;
    if (!json) lines.forEach(out);
    else if (lines.length > 0) out(JSON.stringify({ status: statusOf(progress), ...progress }));
  };
}

/**
 * What has changed, a line each:
 *
 * ```
 * 2026-11-27T10:00:01.000Z  ✔ validate
 * 2026-11-27T10:00:02.000Z  … gate
 * 2026-11-27T10:00:03.000Z  attention  155201 Not enough native tokens → add some (retry, giveUp)
 * 2026-11-27T10:00:09.000Z  completed
 *   transactionId 0190…
 * ```
 * @param now of what the flow tells no time of
 */
export function changeLines(before: Progress | undefined, progress: Progress, now: Date): string[] {
  const known = new Set(before?.steps.map(({ name, state }) => `${state} ${name}`));
  const steps = progress.steps
    .filter(({ name, state }) => !known.has(`${state} ${name}`))
    .map(({ name, state, at }) => `${at}  ${MARKS[state]} ${name}`);
  const said = stateLine(progress);
  const isToldByStep = steps.length > 0 && said === `running  ${progress.step}`;
  const isNew = said !== (before && stateLine(before)) && !isToldByStep;
  if (!isNew) return steps;
  const result = Object.entries(resultFields(progress.outcome)).map(([name, value]) => `  ${name} ${value}`);
  return [...steps, `${progress.endedAt ?? now.toISOString()}  ${said}`, ...result];
}

function stateLine(progress: Progress): string {
  const choices = progress.attention?.options.map(({ choice }) => choice) ?? [];
  const state = headline(progress).join('  ') + (choices.length > 0 ? ` (${choices.join(', ')})` : '');
  return [state, ...notes(progress)].join('  ');
}
