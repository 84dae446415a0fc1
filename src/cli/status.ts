import { findError } from '../api/errors';
import type { Attention } from '../domain/attention';
import type { IncompleteOutcome, Outcome } from '../domain/outcome';
import type { Progress, StepState } from '../domain/progress';
import { isSealedMark } from '../domain/sealed';
import type { UserRestriction } from '../domain/userSession';
import { withFlow } from './flowRef';
import { provideCommand } from './inputRequestHelp';
import { isObject } from './json';
import { callLines } from './movements';
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
 *   retry: estimates again → npx walletflow decide transfer/inv-42 retry --attention 3f2a91c0
 *   input.amount 1.50
 *   walletId 0190…
 * ```
 * For an ended flow, the fields of its result join the ids, one per line.
 */
export function progressLines(progress: Progress): string[] {
  const { flow, ref, policy, startedBy, steps, attention, inputRequests = [], input, resources, outcome } = progress;
  const { endedAt, call } = progress;
  const result = resultFields(outcome);
  const width = Math.max(0, ...steps.map(({ name }) => name.length));
  return [
    [
      `${flow}/${ref}`,
      ...headline(progress),
      ...(policy ? [`policy ${policy}`] : []),
      ...(startedBy ? [`started by ${startedBy.subject}`] : []),
      ...(endedAt ? [`ended ${endedAt}`] : []),
    ].join('  '),
    ...steps.map(({ name, state, at }) => `  ${STEP_SYMBOLS[state]} ${name.padEnd(width)}  ${at}`),
    ...notes(progress).map((note) => `  ${note}`),
    ...(call ? callLines(call) : []).map((line) => `  ${line}`),
    ...(attention?.options ?? []).map(({ choice, effect }) => {
      const command = `npx walletflow decide ${flow}/${ref} ${choice} --attention ${attention!.id}`;
      return `  ${choice}: ${effect} → ${command}`;
    }),
    ...inputRequests.map(
      ({ name, effect }) => `  asks for ${name}: ${effect} → ${provideCommand(`${flow}/${ref}`, name)}`,
    ),
    ...inputLines(input),
    ...Object.entries({ ...resources, ...result }).map(([name, value]) => `  ${name} ${value}`),
  ];
}

/** A payload to sign has up to 128 KiB. `--json` shows it completely. */
const MAX_INPUT_LENGTH = 200;

/** `input.amount 1.50`, `input.email sealed` */
function inputLines(input: unknown): string[] {
  return Object.entries(fieldsOf(input)).map(([name, text]) => {
    const isLong = text.length > MAX_INPUT_LENGTH;
    return `  input.${name} ${isLong ? `${text.slice(0, MAX_INPUT_LENGTH)}…` : text}`;
  });
}

/** The state in one word: the status of the outcome or interruption, or `attention`, `unresolved`, `running`. */
export function statusOf({ outcome, interruption, attention, unresolved }: Progress): string {
  if (outcome) return outcome.status;
  if (interruption) return interruption.status;
  if (attention) return 'attention';
  return unresolved ? 'unresolved' : 'running';
}

/** The state in one word, followed by its reason or the current step. */
export function headline(progress: Progress): string[] {
  const { outcome, interruption, attention, waitingFor, since, step } = progress;
  const status = statusOf(progress);
  if (outcome) return outcome.status === 'completed' ? [status] : [status, reasonText(outcome)];
  if (interruption) return [status, `${interruption.reason} → ${interruption.remedy}`];
  if (attention) return [status, attentionText(attention)];
  if (waitingFor) return [status, `waits for ${waitingFor}${since ? ` (since ${since})` : ''}`];
  return [status, ...(step ? [step] : [])];
}

/** `155219 to: is not an address → correct it` */
export function reasonText(outcome: IncompleteOutcome): string {
  const { reason, remedy } = outcome;
  const code = 'code' in outcome && outcome.code !== undefined ? `${outcome.code} ` : '';
  return code + reason + (remedy === undefined ? '' : ` → ${remedy}`);
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
export function notes({
  outcome,
  interruption,
  approval,
  restriction,
  userProblem,
  cancelRequested,
  pastPointOfNoReturn,
}: Progress): string[] {
  if (outcome || interruption) return [];
  // After the point of no return, the user may have to approve the cancellation itself.
  const endsUnapproved = approval !== undefined && !pastPointOfNoReturn;
  const undecided = endsUnapproved
    ? 'ends once the user can no longer approve'
    : 'the outcome depends on work in progress';
  const then = cancelRequested?.tooLate ? 'it came too late' : undecided;
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

/** Fields of a flow's result by name, as text. */
export function resultFields(outcome: Outcome | undefined): Record<string, string> {
  return outcome && 'result' in outcome ? fieldsOf(outcome.result) : {};
}

/** Fields of an object by name: plain text unchanged, other values as JSON. */
function fieldsOf(value: unknown): Record<string, string> {
  const fields = isObject(value) ? Object.entries(value).filter(([, part]) => part !== undefined) : [];
  return Object.fromEntries(fields.map(([name, part]) => [name, textOf(part)]));
}

/** Text that needs escaping, such as a line break, becomes JSON as well. */
function textOf(value: unknown): string {
  if (isSealedMark(value)) return 'sealed';
  const json = JSON.stringify(value);
  return typeof value === 'string' && json === `"${value}"` ? value : json;
}

/** `155201 Not enough native tokens → add native tokens`. For known codes it shows the condition in the error catalogue. */
export function attentionText({ code, reason, remedy }: Attention): string {
  if (code === undefined) return `${reason} → ${remedy}`;
  return `${code} ${findError(code)?.condition ?? reason} → ${remedy}`;
}
