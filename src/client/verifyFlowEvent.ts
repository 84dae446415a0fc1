import { z } from 'zod';
import { isEventSecret } from '../api/eventEndpoint';
import { signatureProblem } from '../crypto/eventSignature';
import { FLOW_EVENT_TYPES, type FlowEvent } from '../domain/flowEvent';
import { hasLoneSurrogate } from '../domain/unicode';
import { decodeUtf8, parseExactJson } from '../exactJson';

/**
 * - `unsigned`   headers are missing, repeated or unreadable
 * - `time`       the signature is more than five minutes old, or from the future: a replayed request, or clocks that differ
 * - `signature`  signed with another secret, or the body was changed
 * - `content`    the signature is valid, but the body has a name twice, or this version does not know such an event
 */
export type FlowEventProblem = 'unsigned' | 'time' | 'signature' | 'content';

/** A request that must not be trusted. Respond with 400 or 401; the sender retries for three days. */
export class FlowEventError extends Error {
  override readonly name = 'FlowEventError';

  constructor(
    readonly problem: FlowEventProblem,
    message: string,
  ) {
    super(message);
  }
}

/** By the message of the signature library. */
const PROBLEMS: Readonly<Record<string, [FlowEventProblem, string]>> = {
  'Missing required headers': [
    'unsigned',
    'webhook-id, webhook-timestamp or webhook-signature is missing; pass all headers as received',
  ],
  'Invalid Signature Headers': [
    'unsigned',
    'webhook-timestamp is not a time in seconds; reject the request, which Walletflow did not send',
  ],
  'Message timestamp too old': [
    'time',
    "the signature is more than five minutes old; reject the request, and check this machine's clock",
  ],
  'Message timestamp too new': [
    'time',
    "the signature is dated more than five minutes ahead; check this machine's clock",
  ],
};
const WRONG_SIGNATURE =
  'the signature does not match; verify the body as received, before it is parsed, with the secret of events.secretFile';

const Envelope = z.looseObject({
  id: z.string(),
  type: z.enum(FLOW_EVENT_TYPES),
  timestamp: z.string(),
  entity: z.string(),
  flow: z.string(),
  ref: z.string(),
  sequence: z.int().positive(),
  data: z.looseObject({}),
});

/** Headers of a request: those of fetch, or the plain object of Node and its frameworks. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a request to the integrator's endpoint for events, and returns the event. An event may be delivered more than
 * once: process each `id` once, and respond after that.
 * @param rawBody bytes or text of the body **as received**. A body that was parsed and serialized again has other bytes.
 * @param secret content of the entity's `events.secretFile`; during a rotation, the old and the new one
 * @throws FlowEventError; Error if a secret has the wrong form, which is a fault of the configuration
 */
export function verifyFlowEvent(
  rawBody: string | Uint8Array,
  headers: RequestHeaders,
  secret: string | readonly string[],
): FlowEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new FlowEventError('signature', 'the body is already parsed; pass its bytes or text as received');
  }
  const body = typeof rawBody === 'string' ? rawBody : decodeUtf8(rawBody);
  if (body === undefined || hasLoneSurrogate(body)) {
    throw new FlowEventError('signature', 'the body is not UTF-8, so it is not what Walletflow signed; reject it');
  }
  const receivedHeaders = signatureHeaders(headers);
  const secrets = [secret].flat().map((each) => each.trim());
  if (!secrets.every(isEventSecret)) {
    throw new Error('secret: must be whsec_ and 24 to 64 bytes in base64; use the content of events.secretFile');
  }
  const problems = secrets.map((each) => signatureProblem(each, receivedHeaders, body));
  if (!problems.includes(undefined)) {
    throw new FlowEventError(...(PROBLEMS[problems[0] ?? ''] ?? (['signature', WRONG_SIGNATURE] as const)));
  }
  const parsed = parseExactJson(body);
  if (parsed === 'doubledName') {
    throw new FlowEventError('content', 'the body has an object with the same name twice; reject it');
  }
  const { data } = Envelope.safeParse(parsed === 'malformed' ? undefined : parsed.value);
  if (data?.id !== receivedHeaders['webhook-id']) {
    throw new FlowEventError('content', 'this version does not know such an event; update walletflow');
  }
  return data as unknown as FlowEvent;
}

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * The headers of the signature, by lower-case name.
 * @throws FlowEventError if one has more than one value: the integrator's other code may read a different one
 */
function signatureHeaders(headers: RequestHeaders): Record<string, string> {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const found = HEADERS.flatMap((header) => {
    const values = pairs.flatMap(([name, value = []]) => (name.toLowerCase() === header ? value : []));
    if (values.length > 1 || values.some((value) => isJoined(header, value))) {
      throw new FlowEventError(
        'unsigned',
        `${header} must occur once; reject the request, which Walletflow did not send`,
      );
    }
    return values.map((value) => [header, value] as const);
  });
  return Object.fromEntries(found);
}

/**
 * Whether a value was joined from several, with commas, as servers and proxies do. The signature itself is a list,
 * separated by spaces, of `<version>,<base64>`.
 */
function isJoined(header: string, value: string): boolean {
  const commas = header === 'webhook-signature' ? 1 : 0;
  return value.split(' ').some((part) => part.split(',').length > commas + 1);
}
