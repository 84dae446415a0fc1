import { ApplicationFailure } from '@temporalio/common';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { UnknownKeyError } from '../../src/crypto/keyRing';
import { createLogger, type LogLevel, temporalLogger } from '../../src/logger';
import { constantPart } from '../../src/logger/sdkMessages';

const CANARY = 'canary@example.com';
/** Header and claims of a token. They are encoded but not encrypted. */
const JWT = [{ alg: 'ES256' }, { sub: 'ada' }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');
const SDK = dirname(dirname(require.resolve('@temporalio/worker/package.json')));
const API_KEY = 'TEST_API_KEY:0123abcd:fedcba98';

/** A logger that keeps its output: `text()` returns it, `lines()` returns it parsed. */
function memoryLogger(level: LogLevel = 'trace') {
  let written = '';
  const logger = createLogger({ level, destination: { write: (line) => void (written += line) } });
  const lines = () =>
    written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, text: () => written };
}

describe('createLogger', () => {
  test('writes one JSON object per line', () => {
    const { logger, lines } = memoryLogger();
    logger.child({ entity: 'main' }).warn({ workflowId: 'main/transfer/inv-42' }, 'Something odd');
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        entity: 'main',
        workflowId: 'main/transfer/inv-42',
        msg: 'Something odd',
      }),
    ]);
  });

  test('names the key that a process lacks, which only the error can tell', () => {
    const { logger, lines } = memoryLogger();
    temporalLogger(logger).error('Failed to process Workflow Activation', {
      error: new UnknownKeyError('2026-11', ['2026-05']),
    });
    expect(lines()).toMatchObject([{ error: { name: 'UnknownKeyError', keyId: '2026-11' } }]);
  });

  test('writes nothing below its level', () => {
    const { logger, lines } = memoryLogger('warn');
    logger.info('no');
    logger.warn('yes');
    expect(lines()).toHaveLength(1);
  });

  const error = new TypeError(`no wallet for ${CANARY}\n    at ${CANARY}`, {
    cause: Object.assign(new Error(CANARY), { code: 'ECONNRESET' }),
  });

  test.each<[string, (logger: ReturnType<typeof createLogger>) => void]>([
    ['alone', (logger) => logger.error(error)],
    ['as err', (logger) => logger.error({ err: error })],
    ['with a message', (logger) => logger.error(error, 'Call failed')],
    ['as another field', (logger) => logger.error({ error }, 'Call failed')],
    ['within a list', (logger) => logger.error({ failures: [{ error }] }, 'Call failed')],
  ])('an error logged %s shows name, code and location but not its message', (_, log) => {
    const { logger, lines, text } = memoryLogger();
    log(logger);
    expect(text()).not.toContain(CANARY);
    expect(text()).toContain('"name":"TypeError"');
    expect(text()).toContain('"code":"ECONNRESET"');
    expect(text()).toContain('logger.test.ts');
    expect(lines()[0]!.msg).toMatch(/^(TypeError|Call failed)$/);
  });

  test('names, types and codes that are not identifiers are left out', () => {
    const { logger, text } = memoryLogger();
    logger.error(Object.assign(ApplicationFailure.create({ message: 'x', type: CANARY }), { code: CANARY }), 'Failed');
    expect(text()).not.toContain(CANARY);
  });

  test('an error whose stack does not begin with its message shows no stack', () => {
    const { logger, text } = memoryLogger();
    const changed = new Error(CANARY);
    changed.message = 'other';
    logger.error(changed, 'Failed');
    expect(text()).not.toContain(CANARY);
  });

  test.each<[string, object, string]>([
    ['a header', { headers: { authorization: `Bearer ${CANARY}` } }, '"authorization":"[redacted]"'],
    ['a body', { body: { entitySecretCiphertext: CANARY, walletId: 'w' } }, '"walletId":"w"'],
    ['a token', { a: { b: { c: { userToken: `a"\\${CANARY}` } } } }, '"userToken":"[redacted]"'],
    ['a PIN', { pin: 271828 }, '"pin":"[redacted]"'],
    ['JSON as text', { body: JSON.stringify({ apiKey: CANARY, walletId: 'w' }) }, String.raw`\"walletId\":\"w\"`],
    ['an ending backslash', { pin: `${CANARY}\\`, walletId: 'w' }, '"walletId":"w"'],
    ['an API key', { command: `walletflow api --key ${API_KEY} --entity main` }, '--entity main'],
    [
      'a secret for events',
      { tried: `whsec_${CANARY.replaceAll(/[^A-Za-z0-9]/g, '+')}= for main` },
      '[redacted] for main',
    ],
    ["a person's token", { token: `${JWT}.${CANARY.replaceAll(/[^A-Za-z0-9]/g, '_')}`, of: 'ada' }, '"of":"ada"'],
    ['a bearer', { sent: `Authorization: Bearer ${CANARY}` }, 'Authorization: [redacted]'],
  ])('redacts %s', (_, fields, expected) => {
    const { logger, lines, text } = memoryLogger();
    logger.child(fields).info('bound');
    logger.info(fields, 'logged');
    logger.info(JSON.stringify(fields));
    expect(text()).not.toContain(CANARY);
    expect(text()).not.toContain(API_KEY);
    expect(text()).not.toContain(JWT);
    expect(text()).not.toContain('271828');
    expect(text()).toContain(expected);
    expect(lines()).toHaveLength(3);
  });

  test('writes to standard error, since standard output is for results', () => {
    const logger = createLogger() as unknown as Record<symbol, { fd: number }>;
    expect(logger[pino.symbols.streamSym]!.fd).toBe(2);
  });
});

describe('temporalLogger', () => {
  const failure = ApplicationFailure.create({
    message: CANARY,
    type: 'ApiRefused',
    details: [CANARY],
    cause: new Error(CANARY),
  });

  test('keeps message, ids and types of an SDK line, and name and type of its error', () => {
    const { logger, lines, text } = memoryLogger();
    temporalLogger(logger).warn('Activity failed', {
      sdkComponent: 'worker',
      namespace: 'default',
      workflowId: 'main/transfer/inv-42',
      workflowRunId: 'run',
      workflowType: 'transfer',
      activityType: 'createTransfer',
      taskQueue: 'api/main/createTransfer',
      attempt: 2,
      taskToken: CANARY,
      headers: { note: CANARY },
      error: failure,
    });
    expect(text()).not.toContain(CANARY);
    const { time: _time, pid: _pid, hostname: _hostname, ...line } = lines()[0]!;
    expect(line).toEqual({
      level: 'warn',
      msg: 'Activity failed',
      sdkComponent: 'worker',
      namespace: 'default',
      workflowId: 'main/transfer/inv-42',
      workflowRunId: 'run',
      workflowType: 'transfer',
      activityType: 'createTransfer',
      taskQueue: 'api/main/createTransfer',
      attempt: 2,
      error: { name: 'ApplicationFailure', type: 'ApiRefused', cause: { name: 'Error' } },
    });
  });

  test.each([
    ['worker', `Error while processing ActivityTask.start: ${CANARY}`, 'Error while processing ActivityTask.start'],
    ['worker', `Found ${CANARY} here`, 'message withheld'],
    [undefined, CANARY, 'message withheld'],
    [
      'workflow',
      `[TMPRL1102] Workflow finished while an update handler was still running. This may\n${CANARY}`,
      '[TMPRL1102] Workflow finished while an update handler was still running.',
    ],
    ['workflow', 'Unknown transaction state', 'Unknown transaction state'],
    ['core', `Error while updating workflow: "${CANARY}"`, 'Error while updating workflow'],
    ['core', `gRPC call poll_activity_task_queue retried 5 times`, 'gRPC call poll_activity_task_queue retried'],
    ['core', `{"message":"${CANARY}"}`, 'message withheld'],
  ])('in a line of component %s, message %j becomes %j', (sdkComponent, message, expected) => {
    const { logger, lines, text } = memoryLogger();
    temporalLogger(logger).error(message, { sdkComponent });
    expect(text()).not.toContain(CANARY);
    expect(lines()[0]!.msg).toBe(expected);
  });

  test.each<[string, Record<string, unknown>]>([
    ['Got error from server while polling: Status { code: ResourceExhausted, message: "x" }', {}],
    [
      'Task polling has encountered errors continuously; the worker will continue retrying',
      { error: 'Status { code: ResourceExhausted, message: "x" }' },
    ],
  ])('a refused poll is counted and not logged: %s', (message, more) => {
    const { logger, lines } = memoryLogger();
    let refused = 0;
    const temporal = temporalLogger(logger, () => (refused += 1));
    temporal.log('WARN', message, { sdkComponent: 'core', ...more });
    expect(refused).toBe(1);
    expect(lines()).toEqual([]);
  });

  test('a poll that failed for another reason is logged', () => {
    const { logger, lines } = memoryLogger();
    let refused = 0;
    const message = 'Task polling has encountered errors continuously; the worker will continue retrying';
    const error = 'Status { code: Unavailable, message: "x" }';
    temporalLogger(logger, () => (refused += 1)).warn(message, { sdkComponent: 'core', error });
    expect(refused).toBe(0);
    expect(lines()).toMatchObject([{ level: 'warn', grpcCode: 'Unavailable' }]);
  });

  test('keeps target, ids and gRPC code of a line of the native core', () => {
    const { logger, lines, text } = memoryLogger();
    temporalLogger(logger).log('WARN', 'Failing workflow task', {
      sdkComponent: 'core',
      target: 'temporalio_sdk_core::worker::workflow',
      runId: 'run',
      workflowId: 'main/transfer/inv-42',
      failure: `Failure { message: "${CANARY}" }`,
      error: `Status { code: Unavailable, message: "${CANARY}" }`,
      spanContexts: [{ name: CANARY }],
    });
    expect(text()).not.toContain(CANARY);
    expect(lines()[0]).toMatchObject({
      target: 'temporalio_sdk_core::worker::workflow',
      runId: 'run',
      workflowId: 'main/transfer/inv-42',
      grpcCode: 'Unavailable',
    });
  });

  test('a line that every worker repeats is logged only at level debug', () => {
    const { logger, lines } = memoryLogger('info');
    temporalLogger(logger).warn('No workflows registered, not polling for workflow tasks', { sdkComponent: 'worker' });
    expect(lines()).toEqual([]);
  });

  test('lines of workflows and activities are kept without the messages of errors', () => {
    const { logger, lines, text } = memoryLogger();
    temporalLogger(logger).warn('Unknown transaction state', {
      sdkComponent: 'workflow',
      found: 'NEW',
      error: failure,
    });
    expect(text()).not.toContain(CANARY);
    expect(lines()[0]).toMatchObject({ found: 'NEW', error: { name: 'ApplicationFailure', type: 'ApiRefused' } });
  });

  test('a permit wait that a shutdown aborts is not logged, but any other failure of it is', () => {
    const { logger, lines } = memoryLogger();
    const message = 'Error in custom slot supplier `reserveSlot`';
    const temporal = temporalLogger(logger);
    temporal.error(message, {
      sdkComponent: 'worker',
      error: new DOMException('This operation was aborted', 'AbortError'),
    });
    expect(lines()).toEqual([]);
    temporal.error(message, { sdkComponent: 'worker', error: new RangeError('no such bucket') });
    expect(lines()).toEqual([expect.objectContaining({ level: 'error', msg: message, error: { name: 'RangeError' } })]);
  });

  test('an error that is passed instead of fields is logged as an error', () => {
    const { logger, lines, text } = memoryLogger();
    temporalLogger(logger).error(
      `Workflow Worker Thread failed: ${CANARY}`,
      new Error(CANARY) as unknown as Record<string, unknown>,
    );
    expect(text()).not.toContain(CANARY);
    expect(lines()[0]).toMatchObject({ msg: 'Workflow Worker Thread failed', error: { name: 'Error' } });
  });

  test('every message of the installed SDK is known', () => {
    const sources = ['worker', 'worker/lib/workflow', 'worker/lib/nexus', 'workflow', 'activity'].flatMap((name) => {
      const folder = name.includes('/lib') ? join(SDK, name) : join(SDK, name, 'lib');
      return readdirSync(folder)
        .filter((file) => file.endsWith('.js'))
        .map((file) => readFileSync(join(folder, file), 'utf8'));
    });
    const calls =
      /^(?!\s*\*).*(?:\blog|[lL]ogger)\.(?:trace|debug|info|warn|error)\((['"`])((?:\\.|(?!\1).)+?)(?:\1|\$\{)/gm;
    const messages = sources.flatMap((source) => [...source.matchAll(calls)].map((call) => call[2]!));
    expect(messages.length).toBeGreaterThan(60);
    expect(messages.filter((message) => !constantPart(message.replace(/\\`/g, '`')))).toEqual([]);
  });
});
