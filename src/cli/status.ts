import { findError } from '../api/errors';
import type { Attention } from '../domain/attention';
import type { Outcome } from '../domain/outcome';
import type { Progress, StepState } from '../domain/progress';
import type { UserBlock } from '../domain/userSession';
import { withFlow } from './flowRef';
import { isObject } from './json';
import { provideCommand } from './provisionLines';
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
 * What an ended flow reports stands in the place of the ids, a field a line.
 */
export function progressLines(progress: Progress): string[] {
  const { flow, ref, policy, steps, attention, asks = [], resources, outcome } = progress;
  const result = resultFields(outcome);
  const width = Math.max(0, ...steps.map(({ name }) => name.length));
  return [
    [`${flow}/${ref}`, ...headline(progress), ...(policy ? [`policy ${policy}`] : [])].join('  '),
    ...steps.map(({ name, state, at }) => `  ${MARKS[state]} ${name.padEnd(width)}  ${at}`),
    ...notes(progress).map((note) => `  ${note}`),
    ...(attention?.options ?? []).map(
      ({ choice, effect }) => `  ${choice}: ${effect} → npx walletflow decide ${flow}/${ref} ${choice}`,
    ),
    ...asks.map(({ what, effect }) => `  asks for ${what}: ${effect} → ${provideCommand(`${flow}/${ref}`, what)}`),
    ...Object.entries({ ...resources, ...result }).map(([name, value]) => `  ${name} ${value}`),
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

const BLOCKS: Record<UserBlock['reason'], string> = {
  pinLocked: 'the PIN is locked',
  answersLocked: 'the answers to the security questions are locked',
  otherChallenge: 'the user has another challenge to approve first',
  disabled: 'the user is disabled',
  loggedOut: 'the user has to log in again',
};

/**
 * What is to be known beside the state of a flow that goes on: what its user is to approve, what keeps the user from it, what
 * the user's app reported, and who called the flow back.
 */
export function notes({ outcome, approval, block, userProblem, calledBack }: Progress): string[] {
  if (outcome) return [];
  const then = approval ? 'ends when nobody can approve any more' : 'what is under way decides how it ends';
  return [
    ...(approval ? [`to approve: ${approval.type}, challenge ${approval.challengeId}`] : []),
    ...(block ? [`not now: ${blockText(block)}`] : []),
    ...(userProblem ? [`the app reported: ${userProblem.code} ${userProblem.name} → ${userProblem.remedy}`] : []),
    ...(calledBack ? [`called back by ${calledBack.by.subject}; ${then}`] : []),
  ];
}

/** A newer worker may know other reasons. */
function blockText({ reason, until }: UserBlock): string {
  return (BLOCKS[reason] ?? reason) + (until === undefined ? '' : ` until ${new Date(until).toISOString()}`);
}

/** Fields of what a flow reports at its end, by name: plain text as it is, everything else as JSON. */
export function resultFields(outcome: Outcome | undefined): Record<string, string> {
  if (!isObject(outcome?.result)) return {};
  const fields = Object.entries(outcome.result).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, textOf(value)]));
}

/** Text with a line break or the like in it is no plain text. */
function textOf(value: unknown): string {
  const json = JSON.stringify(value);
  return typeof value === 'string' && json === `"${value}"` ? value : json;
}

/** `155201 Not enough native tokens → add native tokens`: the catalogue's sentence where a code has one. */
export function attentionText({ code, reason, remedy }: Attention): string {
  if (code === undefined) return `${reason} → ${remedy}`;
  return `${code} ${findError(code)?.condition ?? reason} → ${remedy}`;
}
