import { findError } from '../api/errors';
import type { Attention } from '../domain/attention';
import type { Outcome } from '../domain/outcome';
import type { Progress, StepState } from '../domain/progress';
import type { UserRestriction } from '../domain/userSession';
import { withFlow } from './flowRef';
import { provideCommand } from './inputRequestHelp';
import { isObject } from './json';
import type { Terminal } from './terminal';

export const STEP_SYMBOLS: Record<StepState, string> = { active: '…', done: '✔', failed: '✖' };

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
 * For an ended flow, the fields of its result join the ids, one per line.
 */
export function progressLines(progress: Progress): string[] {
  const { flow, ref, policy, startedBy, steps, attention, inputRequests = [], resources, outcome } = progress;
  const result = resultFields(outcome);
  const width = Math.max(0, ...steps.map(({ name }) => name.length));
  return [
    [
      `${flow}/${ref}`,
      ...headline(progress),
      ...(policy ? [`policy ${policy}`] : []),
      ...(startedBy ? [`started by ${startedBy.subject}`] : []),
    ].join('  '),
    ...steps.map(({ name, state, at }) => `  ${STEP_SYMBOLS[state]} ${name.padEnd(width)}  ${at}`),
    ...notes(progress).map((note) => `  ${note}`),
    ...(attention?.options ?? []).map(
      ({ choice, effect }) => `  ${choice}: ${effect} → npx walletflow decide ${flow}/${ref} ${choice}`,
    ),
    ...inputRequests.map(
      ({ name, effect }) => `  asks for ${name}: ${effect} → ${provideCommand(`${flow}/${ref}`, name)}`,
    ),
    ...Object.entries({ ...resources, ...result }).map(([name, value]) => `  ${name} ${value}`),
  ];
}

/** The state in one word: the status of the outcome, or `attention`, `unresolved`, `running`. */
export function statusOf({ outcome, attention, unresolved }: Progress): string {
  if (outcome) return outcome.status;
  if (attention) return 'attention';
  return unresolved ? 'unresolved' : 'running';
}

/** The state in one word, followed by its reason or the current step. */
export function headline(progress: Progress): string[] {
  const { outcome, attention, waitingFor, since, step } = progress;
  const status = statusOf(progress);
  if (outcome) {
    const { code, reason, remedy } = outcome;
    return [status, ...(reason ? [[code, reason].filter(Boolean).join(' ') + (remedy ? ` → ${remedy}` : '')] : [])];
  }
  if (attention) return [status, attentionText(attention)];
  if (waitingFor) return [status, `waits for ${waitingFor}${since ? ` since ${since}` : ''}`];
  return [status, ...(step ? [step] : [])];
}

const RESTRICTION_TEXTS: Record<UserRestriction['reason'], string> = {
  pinLocked: 'the PIN is locked',
  answersLocked: 'the security answers are locked',
  otherChallenge: 'the user has another challenge to approve first',
  disabled: 'the user is disabled',
  loggedOut: 'the user has to log in again',
};

/**
 * More facts about a running flow: what its user has to approve, what restricts the user, what the user's app reported,
 * and who requested cancellation.
 */
export function notes({ outcome, approval, restriction, userProblem, cancelRequested }: Progress): string[] {
  if (outcome) return [];
  const then = approval ? 'ends once the user can no longer approve' : 'the outcome depends on work in progress';
  return [
    ...(approval ? [`to approve: ${approval.type}, challenge ${approval.challengeId}`] : []),
    ...(restriction ? [`not possible now: ${restrictionText(restriction)}`] : []),
    ...(userProblem ? [`the app reported: ${userProblem.code} ${userProblem.name} → ${userProblem.remedy}`] : []),
    ...(cancelRequested ? [`cancellation requested by ${cancelRequested.by.subject}; ${then}`] : []),
  ];
}

/** Newer workers may report reasons that this version does not know. */
function restrictionText({ reason, until }: UserRestriction): string {
  return (RESTRICTION_TEXTS[reason] ?? reason) + (until === undefined ? '' : ` until ${new Date(until).toISOString()}`);
}

/** Fields of a flow's result by name: plain text unchanged, other values as JSON. */
export function resultFields(outcome: Outcome | undefined): Record<string, string> {
  if (!isObject(outcome?.result)) return {};
  const fields = Object.entries(outcome.result).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, textOf(value)]));
}

/** Text that needs escaping, such as a line break, becomes JSON as well. */
function textOf(value: unknown): string {
  const json = JSON.stringify(value);
  return typeof value === 'string' && json === `"${value}"` ? value : json;
}

/** `155201 Not enough native tokens → add native tokens`. For known codes it shows the condition in the error catalogue. */
export function attentionText({ code, reason, remedy }: Attention): string {
  if (code === undefined) return `${reason} → ${remedy}`;
  return `${code} ${findError(code)?.condition ?? reason} → ${remedy}`;
}
