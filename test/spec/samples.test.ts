import { createCaller } from '../../src/api/caller';
import { findEndpoint } from '../../src/api/contract';
import { readWebhook } from '../../src/gateway/envelope';
import { ChallengeNotification, targetOf, TransactionNotification } from '../../src/gateway/routes';
import { closeOwnEmulator } from '../support/emulator';
import { type Answer, missingFrom, recordAnswers } from '../support/recordedAnswers';
import { SampleReport } from '../support/sampleReport';
import {
  RESPONSE_SAMPLES,
  type ResponseSample,
  WEBHOOK_SAMPLES,
  type WebhookSample,
  withoutNulls,
} from '../support/samples';
import { tellSampleStory } from '../support/sampleStory';
import { startServer, type TestServer } from '../unit/api/server';

/** Printed with `PRINT_SAMPLES=1`. */
const report = new SampleReport();
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
  if (process.env.PRINT_SAMPLES !== undefined) process.stdout.write(`${report.toString()}\n`);
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

describe('the client reads', () => {
  test.each(RESPONSE_SAMPLES.map((sample) => [sample.name, sample] as const))('%s', async (_name, sample) => {
    const { body, error, warnings } = await receive(sample);
    const { failure } = sample;
    const isRead = error?.kind === failure?.kind && error?.code === failure?.code;
    report.note(sample, { isRead });
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
    report.note(sample, { isRead });
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

  /** The fields of a sample that the most similar response or webhook lacks; undefined if the emulator sent none of that kind. */
  function missing(sample: ResponseSample | WebhookSample, unsent: readonly string[]): string[] | undefined {
    const candidates =
      'operation' in sample
        ? answers.filter(({ operation, status }) => operation === sample.operation && status === sample.status)
        : webhooks.filter(({ notificationType }) => notificationType === sample.body.notificationType);
    return candidates
      .map((one) => missingFrom(sample.body, 'operation' in one ? one.body : one, unsent))
      .toSorted((a, b) => a.length - b.length)[0];
  }

  const samples = [...RESPONSE_SAMPLES, ...WEBHOOK_SAMPLES].map((sample) => [sample.name, sample] as const);
  test.each(samples.filter(([, { unsent }]) => typeof unsent !== 'string'))('%s', (_name, sample) => {
    const { unsent = [] } = sample as { unsent?: string[] };
    const result = missing(sample, unsent);
    report.note(sample, { isSent: result?.length === 0 });
    expect(result).toEqual([]);
  });

  // An exception that is no longer one says something false about the emulator.
  test.each(samples.filter(([, { unsent }]) => unsent !== undefined))('%s, with an exception', (_name, sample) => {
    const { unsent = [] } = sample;
    const exceptions = typeof unsent === 'string' ? [[]] : unsent.map((name) => unsent.filter((one) => one !== name));
    for (const others of exceptions) expect(missing(sample, others)).not.toEqual([]);
  });
});
