import { z } from 'zod';
import { isEventSecret } from '../api/eventEndpoint';
import { signatureProblem } from '../crypto/eventSignature';
import { FLOW_EVENT_TYPES, type FlowEvent } from '../domain/flowEvent';

/**
 * - `unsigned`   headers are missing or unreadable
 * - `time`       the signature is more than five minutes old, or from the future: a replayed request, or clocks that differ
 * - `signature`  signed with another secret, or the body was changed
 * - `content`    the signature is valid, but this version does not know such an event
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
  const body = typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8');
  const receivedHeaders = headersByName(headers);
  const secrets = [secret].flat().map((each) => each.trim());
  if (!secrets.every(isEventSecret)) {
    throw new Error('secret: must be whsec_ and 24 to 64 bytes in base64; use the content of events.secretFile');
  }
  const problems = secrets.map((each) => signatureProblem(each, receivedHeaders, body));
  if (!problems.includes(undefined)) {
    throw new FlowEventError(...(PROBLEMS[problems[0] ?? ''] ?? (['signature', WRONG_SIGNATURE] as const)));
  }
  const { data } = Envelope.safeParse(parse(body));
  if (data?.id !== receivedHeaders['webhook-id']) {
    throw new FlowEventError('content', 'this version does not know such an event; update walletflow');
  }
  return data as unknown as FlowEvent;
}

/** Headers by lower-case name. If a header occurs more than once, its first value. */
function headersByName(headers: RequestHeaders): Record<string, string> {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => {
      const [first] = [value].flat();
      return first === undefined ? [] : [[name.toLowerCase(), first]];
    }),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
