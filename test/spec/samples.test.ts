import { createCaller } from '../../src/api/caller';
import { findEndpoint } from '../../src/api/contract';
import { readWebhook } from '../../src/gateway/envelope';
import { ChallengeNotification, targetOf, TransactionNotification } from '../../src/gateway/routes';
import { closeOwnEmulator } from '../support/emulator';
import { type Answer, missingFrom, recordAnswers } from '../support/recordedAnswers';
import { RESPONSE_SAMPLES, type ResponseSample, WEBHOOK_SAMPLES, withoutNulls } from '../support/samples';
import { tellSampleStory } from '../support/sampleStory';
import { startServer, type TestServer } from '../unit/api/server';

/** One line for each sample, printed with `PRINT_SAMPLES=1`. */
const lines: string[] = [];
let server: TestServer;
let sent: ResponseSample;

beforeAll(async () => {
  server = await startServer((response) => {
    const { status, body } = sent;
    response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
});
afterAll(async () => {
  await server.close();
  if (process.env.PRINT_SAMPLES !== undefined) process.stdout.write(`${summary()}\n`);
});

/** Receives the sample over HTTP as the response of its operation, whatever the request. */
async function receive(sample: ResponseSample) {
  sent = sample;
  const warnings: unknown[] = [];
  const call = createCaller(
    { name: 'acme', kind: 'test', apiKey: 'TEST_API_KEY:sample:sample', hosts: { api: server.origin } },
    { logger: { warn: (fields) => void warnings.push(fields.fields) } },
  );
  const { errors, kinds, response } = findEndpoint(sample.operation);
  const endpoint = {
    method: 'GET',
    path: '/sample',
    auth: 'none',
    limit: 'unlimited',
    idempotency: 'repeatable',
    summary: '',
    ...(errors && { errors }),
    ...(kinds && { kinds }),
    ...(response && { response }),
  } as const;
  try {
    return { body: (await call(sample.operation, endpoint)).body, warnings };
  } catch (error) {
    return { error: error as { kind: string; code: number }, warnings };
  }
}

/** Notes the result of a sample for the summary. */
function note({ name, source }: { name: string; source: string }, result: string): void {
  lines.push([result.padEnd(11), name.padEnd(32), source].join(' '));
}

function summary(): string {
  const unread = lines.filter((line) => line.startsWith('UNREADABLE')).length;
  const hosts = new Set(lines.map((line) => new URL(line.slice(line.indexOf('https://'))).host));
  const counts = `${lines.length} samples from ${[...hosts].join(', ')} · ${lines.length - unread} read · ${unread} not`;
  return [...lines, counts].join('\n');
}

describe('the client reads', () => {
  test.each(RESPONSE_SAMPLES.map((sample) => [sample.name, sample] as const))('%s', async (_name, sample) => {
    const { body, error, warnings } = await receive(sample);
    const { failure } = sample;
    const isRead = error?.kind === failure?.kind && error?.code === failure?.code;
    note(sample, isRead ? 'read' : 'UNREADABLE');
    if (failure) {
      expect(error).toMatchObject({ ...failure, status: sample.status });
      return;
    }
    expect({ error, warnings }).toEqual({ error: undefined, warnings: [] });
    expect(body).toEqual(withoutNulls(sample.body));
  });

  test.each(WEBHOOK_SAMPLES.map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
    const webhook = readWebhook(Buffer.from(JSON.stringify(sample.body)));
    const envelope = typeof webhook === 'string' ? undefined : webhook.event;
    const { notificationType, notification } = sample.body;
    const schema = { flow: TransactionNotification, session: ChallengeNotification }[sample.target as string];
    const isRead = envelope !== undefined && schema?.safeParse(envelope.notification).success !== false;
    note(sample, isRead ? 'read' : 'UNREADABLE');
    expect(envelope).toMatchObject({ notificationType, notification });
    expect(targetOf(notificationType)).toBe(sample.target);
    expect(isRead).toBe(true);
  });
});

describe('the emulator sends the fields and nulls of', () => {
  let answers: Answer[];
  let webhooks: { notificationType: string; notification: unknown }[];
  beforeAll(async () => {
    answers = await recordAnswers(async () => {
      webhooks = await tellSampleStory();
    });
  });
  afterAll(closeOwnEmulator);

  /** What the most similar answer lacks of the sample. */
  const leastMissing = (sample: unknown, candidates: readonly unknown[], unsent: string[]) =>
    candidates.map((one) => missingFrom(sample, one, unsent)).toSorted((a, b) => a.length - b.length)[0];
  const sentSamples = <Sample extends { name: string; unsent?: string[] | string }>(samples: readonly Sample[]) =>
    samples.flatMap((sample) => {
      const { name, unsent = [] } = sample;
      return typeof unsent === 'string' ? [] : [[name, sample, unsent] as const];
    });

  test.each(sentSamples(RESPONSE_SAMPLES))('%s', (_name, { operation, status, body }, unsent) => {
    const candidates = answers.filter((answer) => answer.operation === operation && answer.status === status);
    expect(
      leastMissing(
        body,
        candidates.map((answer) => answer.body),
        unsent,
      ),
    ).toEqual([]);
  });

  test.each(sentSamples(WEBHOOK_SAMPLES))('%s', (_name, { body }, unsent) => {
    const candidates = webhooks.filter(({ notificationType }) => notificationType === body.notificationType);
    expect(leastMissing(body, candidates, unsent)).toEqual([]);
  });
});
