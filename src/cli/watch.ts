import { setTimeout as sleep } from 'node:timers/promises';
import type { FlowHandle } from '../client/flowHandle';
import { withoutScreening } from '../domain/outcome';
import type { Progress } from '../domain/progress';
import { EXIT, type ExitCode } from './exitCodes';
import { withFlow } from './flowRef';
import { LiveOutput } from './liveOutput';
import { headline, notes, progressLines, resultFields, statusOf, STEP_SYMBOLS } from './status';
import { stopSignal } from './stopSignal';
import type { Terminal } from './terminal';

/** Each poll is a query to a worker, which adds nothing to the history. */
const POLL_INTERVAL_MS = 1_000;

export async function run(terminal: Terminal, { json }: { json?: boolean }, flowRef: string): Promise<ExitCode> {
  const stopRequested = stopSignal();
  const show = createRenderer(terminal, json === true);
  return withFlow(terminal, flowRef, async (handle) => {
    for await (const progress of follow(handle, stopRequested)) {
      show(progress);
      if (progress.interruption) return EXIT.refused;
      if (progress.outcome) return progress.outcome.status === 'completed' ? EXIT.done : EXIT.refused;
    }
    // Stopped by a signal: the flow has not completed, and a script must not continue as if it had.
    return EXIT.refused;
  });
}

/** Yields the flow's progress until it ends or `stopRequested` resolves. At the end of the flow, the last item has the outcome. */
async function* follow(
  handle: FlowHandle<unknown>,
  stopRequested: Promise<unknown>,
): AsyncGenerator<Progress, void, void> {
  let stopped = false;
  void stopRequested.then(() => (stopped = true));
  // The server returns the result even without a worker. The loop below handles an error.
  const end = handle.result().then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error }),
  );
  for (;;) {
    const progress = await handle.progress();
    yield progress;
    if (progress.outcome || progress.interruption || stopped) return;
    const ended = await Promise.race([end, stopRequested.then(() => undefined), sleep(POLL_INTERVAL_MS, undefined)]);
    if (stopped) return;
    if (!ended) continue;
    if ('error' in ended) throw ended.error;
    // If no worker responded to the last query, do not wait for one again.
    const last = progress.steps.length > 0 ? await handle.progress() : progress;
    yield { ...last, attention: undefined, waitingFor: undefined, outcome: withoutScreening(ended.outcome) };
    return;
  }
}

/** A terminal shows the whole flow and redraws it. A pipe gets a line per change, as text or JSON. */
function createRenderer({ out, interactive }: Terminal, json: boolean): (progress: Progress) => void {
  if (interactive && !json) {
    const output = new LiveOutput(out);
    return (progress) => output.render(progressLines(progress));
  }
  let previous: Progress | undefined;
  return (progress) => {
    const lines = changeLines(previous, progress, new Date());
    previous = progress;
    if (!json) lines.forEach(out);
    else if (lines.length > 0) out(JSON.stringify({ status: statusOf(progress), ...progress }));
  };
}

/**
 * One line per change:
 *
 * ```
 * 2026-11-27T10:00:01.000Z  ✔ validate
 * 2026-11-27T10:00:02.000Z  … gate
 * 2026-11-27T10:00:03.000Z  attention  155201 Not enough native tokens → add some (retry, giveUp)
 * 2026-11-27T10:00:09.000Z  completed
 *   transactionId 0190…
 * ```
 * @param now time of changes for which the flow reports none
 */
export function changeLines(previous: Progress | undefined, progress: Progress, now: Date): string[] {
  const known = new Set(previous?.steps.map(({ name, state }) => `${state} ${name}`));
  const steps = progress.steps
    .filter(({ name, state }) => !known.has(`${state} ${name}`))
    .map(({ name, state, at }) => `${at}  ${STEP_SYMBOLS[state]} ${name}`);
  const line = stateLine(progress);
  const isShownByStep = steps.length > 0 && line === `running  ${progress.step}`;
  const isNew = line !== (previous && stateLine(previous)) && !isShownByStep;
  if (!isNew) return steps;
  const result = Object.entries(resultFields(progress.outcome)).map(([name, value]) => `  ${name} ${value}`);
  return [...steps, `${progress.endedAt ?? now.toISOString()}  ${line}`, ...result];
}

function stateLine(progress: Progress): string {
  const choices = progress.attention?.options.map(({ choice }) => choice) ?? [];
  const state = headline(progress).join('  ') + (choices.length > 0 ? ` (${choices.join(', ')})` : '');
  return [state, ...notes(progress)].join('  ');
}
