import { findError } from '../api/errors';
import type { Attention } from '../domain/attention';
import type { Progress, StepState } from '../domain/progress';
import { withFlow } from './flowRef';
import type { Terminal } from './terminal';

export const MARKS: Record<StepState, string> = { active: '…', done: '✔', failed: '✖' };

export async function run(terminal: Terminal, { json }: { json?: boolean }, flowRef: string): Promise<void> {
  const progress = await withFlow(terminal, flowRef, (handle) => handle.progress());
  if (json) terminal.out(JSON.stringify({ status: statusOf(progress), ...progress }));
  else for (const line of progressLines(progress)) terminal.out(line);
}

/**
 * ```
 * transfer/inv-42  attention  155201 Not enough native tokens → add some
 *   ✔ validate  2026-11-27T10:00:01.000Z
 *   … gate      2026-11-27T10:00:02.000Z
 *   retry: estimates again → npx walletflow decide transfer/inv-42 retry
 *   walletId 0190…
 * ```
 */
export function progressLines(progress: Progress): string[] {
  const { flow, ref, policy, steps, attention, asks = [], resources } = progress;
  const width = Math.max(0, ...steps.map(({ name }) => name.length));
  return [
    [`${flow}/${ref}`, ...headline(progress), ...(policy ? [`policy ${policy}`] : [])].join('  '),
    ...steps.map(({ name, state, at }) => `  ${MARKS[state]} ${name.padEnd(width)}  ${at}`),
    ...(attention?.options ?? []).map(
      ({ choice, effect }) => `  ${choice}: ${effect} → npx walletflow decide ${flow}/${ref} ${choice}`,
    ),
    ...asks.map(({ what, effect }) => `  asks for ${what}: ${effect} → npx walletflow provide ${flow}/${ref} ${what}`),
    ...Object.entries(resources).map(([name, id]) => `  ${name} ${id}`),
  ];
}

/** The state in a word: how it ended, or `attention`, `unresolved`, `running`. */
export function statusOf({ outcome, attention, unresolved }: Progress): string {
  if (outcome) return outcome.status;
  if (attention) return 'attention';
  return unresolved ? 'unresolved' : 'running';
}

/** The state in a word, and what is to say about it. */
export function headline(progress: Progress): string[] {
  const { outcome, attention, waitingFor, since, step } = progress;
  const word = statusOf(progress);
  if (outcome) {
    const { code, reason, remedy } = outcome;
    return [word, ...(reason ? [[code, reason].filter(Boolean).join(' ') + (remedy ? ` → ${remedy}` : '')] : [])];
  }
  if (attention) return [word, attentionText(attention)];
  if (waitingFor) return [word, `waits for ${waitingFor}${since ? ` since ${since}` : ''}`];
  return [word, ...(step ? [step] : [])];
}

/** `155201 Not enough native tokens → add native tokens`: the catalogue's sentence where a code has one. */
export function attentionText({ code, reason, remedy }: Attention): string {
  if (code === undefined) return `${reason} → ${remedy}`;
  return `${code} ${findError(code)?.condition ?? reason} → ${remedy}`;
}
