import { CALL_MODES, type CallMode, isEffect } from '../../../src/domain/activityTable';
import type { ApiFailure } from '../../../src/domain/apiFailure';
import {
  type AttemptInfo,
  type AttemptNotes,
  failAttempt,
  NOT_SENT_NAMES,
  startAttempt,
} from '../../../src/domain/attempt';
import {
  afterDecision,
  afterFailure,
  afterLookUp,
  type EffectCommand,
  type EffectRun,
  INTERRUPTED,
  PREFLIGHT,
  UNUSED_KEY,
  withFailure,
} from '../../../src/domain/effectCommands';
import { ERROR_KINDS } from '../../../src/domain/errorKind';
import { ATTEMPTS, HALTED_MS, RESPONSES, rowsOf, TABLES } from './tables';

const MINUTE = 60_000;
const NOW = Date.UTC(2027, 0, 1);

/** A cell that names several values stands for each of them. */
const matches = (cell: string, value: string | number) =>
  cell === 'any' || cell === String(value) || cell.split(' ').includes(String(value));

/** The row for a case. Each case must have exactly one. */
function rowFor(rows: Record<string, string>[], given: Record<string, string | number>): Record<string, string> {
  const found = rows.filter((row) => Object.entries(given).every(([column, value]) => matches(row[column]!, value)));
  if (found.length !== 1) throw new Error(`${found.length} rows for ${JSON.stringify(given)}`);
  return found[0]!;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
const minutes = (ms: number) => `${Math.round(ms / 6_000) / 10} min`;

describe('before a request is sent', () => {
  const rows = rowsOf(TABLES.start);
  const tainted = (age: number) => (attempt: number) => ({
    notes: { attempt: attempt - 1, taintedSince: NOW - age * MINUTE, unexpectedResponses: 0 },
  });
  const firstScheduled = (age: number) => () => ({ firstScheduledAt: NOW - age * MINUTE });
  const clean: AttemptNotes = { attempt: 3, unexpectedResponses: 0 };
  const FIRST_ATTEMPTS: Record<string, () => Partial<AttemptInfo>> = {
    none: () => ({ firstScheduledAt: NOW }),
    'later run': () => ({ firstScheduledAt: NOW, runId: 'run-2', senderRunId: 'run-1' }),
    'activity reset, not executed': () => ({ notes: clean }),
    'activity reset, tainted 59 min': () => ({ notes: { ...clean, taintedSince: NOW - 59 * MINUTE } }),
    'activity reset, notes deleted': () => ({}),
  };
  const LATER_ATTEMPTS: Record<string, (attempt: number) => Partial<AttemptInfo>> = {
    'not executed': (attempt) => ({ notes: { attempt: attempt - 1, unexpectedResponses: 0 } }),
    'tainted for 59 min': tainted(59),
    'tainted for 61 min': tainted(61),
    'none, first scheduled 59 min ago': firstScheduled(59),
    'none, first scheduled 61 min ago': firstScheduled(61),
  };
  const cases = CALL_MODES.flatMap((mode) =>
    ATTEMPTS.flatMap((attempt) =>
      Object.entries(attempt === 1 ? FIRST_ATTEMPTS : LATER_ATTEMPTS).map(([notes, info]) => ({
        mode,
        attempt,
        notes,
        info: info(attempt),
      })),
    ),
  );

  test.each(cases)('$mode, attempt $attempt, notes: $notes', ({ mode, attempt, notes, info }) => {
    const ofNotes = rows.filter(({ Notes }) => Notes === notes || Notes === 'any');
    const row = rowFor(ofNotes, { Mode: mode, Attempt: attempt });
    const whole = { attempt, scheduledAt: NOW, firstScheduledAt: NOW - 61 * MINUTE, ...info };
    const { earlier, sending, notSent } = startAttempt(mode, whole, NOW - 1);
    expect({
      'Tainted since': earlier.taintedSince === undefined ? '-' : minutes(NOW - earlier.taintedSince),
      Request: notSent ?? 'sent',
    }).toEqual({ 'Tainted since': row['Tainted since'], Request: row.Request });
    // What it notes before it sends: if the worker dies now, the API may have executed the request.
    const since = isEffect(mode) ? (earlier.taintedSince ?? NOW) : undefined;
    expect(sending).toEqual({ attempt, taintedSince: since, unexpectedResponses: 0 });
  });

  const FIRST = { attempt: 1, scheduledAt: NOW, firstScheduledAt: NOW };

  test('a task that waited in its queue begins when it is received', () => {
    expect(startAttempt('keyed', FIRST, NOW + 600 * MINUTE).sending.taintedSince).toBe(NOW + 600 * MINUTE);
  });

  test('a run that has looked the effect up may send it', () => {
    expect(startAttempt('keyed', { ...FIRST, runId: 'run-2', senderRunId: 'run-2' }, NOW).notSent).toBeUndefined();
  });
});

/** A failed attempt after which the earlier ones had the same response. `isTainted`: an earlier one got no response. */
function failedAttempt(mode: CallMode, attempt: number, isTainted: boolean, response: keyof typeof RESPONSES) {
  const call = RESPONSES[response]!;
  let notes: AttemptNotes | undefined;
  for (let n = 1; ; n++) {
    const started = startAttempt(mode, { attempt: n, scheduledAt: NOW, firstScheduledAt: NOW, notes }, NOW);
    if (isTainted && n === 1) started.earlier.taintedSince = NOW;
    const failed = failAttempt(started, call, HALTED_MS);
    if (n === attempt) return failed;
    ({ notes } = failed);
    if (!isTainted && call.outcome === 'unknown') delete notes.taintedSince;
  }
}

describe('after a failed attempt', () => {
  const rows = rowsOf(TABLES.attempts);
  const cases = Object.keys(RESPONSES).flatMap((response) =>
    CALL_MODES.flatMap((mode) =>
      // Reads cannot be tainted, and a tainted effect without a key is not sent.
      (mode === 'keyed' ? [false, true] : [false]).flatMap((isTainted) =>
        ATTEMPTS.map((attempt) => ({ response, mode, isTainted, attempt })),
      ),
    ),
  );

  test.each(cases)('$response, $mode, tainted: $isTainted, attempt $attempt', (each) => {
    const { response, mode, isTainted, attempt } = each;
    const [kind, text] = response.split(': ');
    const ofResponse = rows.filter((row) => row.Kind === kind && row.Response === text);
    const row = rowFor(ofResponse, { Mode: mode, Tainted: isTainted ? 'yes' : 'no', Attempt: attempt });
    const { reaction, tainted, notes } = failedAttempt(mode, attempt, isTainted, response);
    const { type } = reaction;
    const delay = 'delayMs' in reaction && reaction.delayMs !== undefined ? ` after ${seconds(reaction.delayMs)}` : '';
    expect(`${type}${delay}`).toBe(row.Reaction);
    // The flow looks up every failure of an effect that the API may have executed.
    expect(tainted).toBe(isEffect(mode) && (isTainted || RESPONSES[response]!.outcome === 'unknown'));
    expect(notes.taintedSince !== undefined).toBe(tainted);
  });

  test('the responses cover every kind', () => {
    expect([...new Set(Object.values(RESPONSES).map(({ kind }) => kind))]).toEqual([...ERROR_KINDS]);
  });

  test('each row applies to a case', () => {
    const isUsed = (row: Record<string, string>) =>
      cases.some(
        ({ response, mode, isTainted, attempt }) =>
          response === `${row.Kind}: ${row.Response}` &&
          matches(row.Mode!, mode) &&
          matches(row.Tainted!, isTainted ? 'yes' : 'no') &&
          matches(row.Attempt!, attempt),
      );
    expect(rows.filter((row) => !isUsed(row))).toEqual([]);
  });
});

const RUN: EffectRun = { isReset: false, isCancelled: false, ...UNUSED_KEY };

const textOf = (command: EffectCommand): string => {
  if (command.type === 'wait') return `wait ${seconds(command.milliseconds)}`;
  if (command.type === 'send') return `send ${command.ordinal}`;
  if (command.type === 'lookUp') return ['lookUp', command.patience, rangeText(command)].filter(Boolean).join(' ');
  return command.type;
};

const rangeText = ({ range }: Extract<EffectCommand, { type: 'lookUp' }>) => (range === 'anyTime' ? range : '');

const failureOf = (fields: Partial<ApiFailure>): ApiFailure => ({
  code: 175009,
  name: 'Failure',
  status: 400,
  endpoint: 'createTransfer',
  kind: 'refused',
  remedy: 'fix it',
  tainted: false,
  ...fields,
});

describe('in the flow', () => {
  const rows = rowsOf(TABLES.flow);

  test.each(rows)('$Kind, code $Code, tainted: $Tainted', ({ Code: code, ...row }) => {
    const failure = failureOf({
      kind: row.Kind as ApiFailure['kind'],
      tainted: row.Tainted === 'yes',
      ...(/^\d+$/.test(code!) && { code: Number(code) }),
      ...(Object.hasOwn(NOT_SENT_NAMES, code!) && { name: NOT_SENT_NAMES[code as keyof typeof NOT_SENT_NAMES] }),
    });
    const run = { ...RUN, ...withFailure(UNUSED_KEY, failure), wasRefused: false };
    const lookUp = afterFailure(failure, run) as LookUp;
    const cancelled = { ...run, isCancelled: true };
    expect({
      First: textOf(lookUp),
      'First after a reset': textOf(afterFailure(failure, { ...run, isReset: true })),
      'Lookups found nothing': textOf(afterLookUp(lookUp, true, run)),
      'Found nothing, key refused': textOf(afterLookUp(lookUp, true, { ...run, wasRefused: true })),
      Incomplete: textOf(afterLookUp(lookUp, false, run)),
      'Flow cancelled, found nothing': textOf(afterLookUp(lookUp, true, cancelled)),
    }).toEqual(Object.fromEntries(Object.entries(row).slice(2)));
    expect(textOf(afterFailure(failure, cancelled))).toBe(textOf(lookUp));
    expect(textOf(afterLookUp(lookUp, false, cancelled))).toBe('askForOutcome');
  });

  test('has a row for every kind, tainted and not', () => {
    const cases = rows.filter(({ Code }) => Code === 'another').map(({ Kind, Tainted }) => `${Kind} ${Tainted}`);
    expect(cases).toEqual(ERROR_KINDS.flatMap((kind) => [`${kind} no`, `${kind} yes`]));
  });
});

type LookUp = Extract<EffectCommand, { type: 'lookUp' }>;

describe('interruptions and decisions', () => {
  const rows = rowsOf(TABLES.special);
  const failure = failureOf({ tainted: true });
  const toFix = { type: 'askToFix', failure } as const;
  const forOutcome = { type: 'askForOutcome', failure } as const;
  /** The event itself, then lookups that found nothing, and incomplete ones. */
  const withLookUps = (name: string, begin: (run: EffectRun) => EffectCommand) => ({
    [name]: begin,
    [`${name}, found nothing`]: (run: EffectRun) => afterLookUp(begin(RUN) as LookUp, true, run),
    [`${name}, incomplete`]: (run: EffectRun) => afterLookUp(begin(RUN) as LookUp, false, run),
  });
  const events: Record<string, (run: EffectRun) => EffectCommand> = {
    ...withLookUps('interrupted', (run) => afterFailure(INTERRUPTED, run)),
    ...withLookUps('preflight', () => PREFLIGHT),
    ...withLookUps('askToFix: retry', (run) => afterDecision(toFix, 'retry', run)),
    'askToFix: giveUp': (run) => afterDecision(toFix, 'giveUp', run),
    ...withLookUps('askForOutcome: retry', (run) => afterDecision(forOutcome, 'retry', run)),
    'askForOutcome: giveUp': (run) => afterDecision(forOutcome, 'giveUp', run),
    ...withLookUps('askForOutcome: lookAgain', (run) => afterDecision(forOutcome, 'lookAgain', run)),
  };

  test('are all in the table', () => {
    expect(rows.map(({ Event }) => Event)).toEqual(Object.keys(events));
  });

  test.each(rows)('$Event', (row) => {
    const event = events[row.Event!]!;
    expect(textOf(event(RUN))).toBe(row.Next);
    expect(textOf(event({ ...RUN, isCancelled: true }))).toBe(row['If the flow was cancelled']);
  });
});
