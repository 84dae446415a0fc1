import { z } from 'zod';
import { isEventSecret } from '../api/eventEndpoint';
import { signatureProblem } from '../crypto/eventSignature';
import { FLOW_EVENT_TYPES, type FlowEvent } from '../domain/flowEvent';

/**
 * - `unsigned`   headers are missing or unreadable
 * - `time`       signed more than five minutes ago or ahead: sent again by somebody, or clocks differ
 * - `signature`  signed with another secret, or the body is not as it was sent
 * - `content`    signed, but not an event that this version knows
 */
export type FlowEventProblem = 'unsigned' | 'time' | 'signature' | 'content';

/** A request that is not to be believed. Answer 400 or 401; the sender tries again for three days. */
export class FlowEventError extends Error {
  override readonly name = 'FlowEventError';

  constructor(
    readonly problem: FlowEventProblem,
    what: string,
  ) {
    super(what);
  }
}

/** What the library says, in our words. */
const PROBLEMS: Readonly<Record<string, [FlowEventProblem, string]>> = {
  'Missing required headers': [
    'unsigned',
    'webhook-id, webhook-timestamp or webhook-signature is missing; hand in all headers as they came',
  ],
  'Invalid Signature Headers': ['unsigned', 'webhook-timestamp is no time in seconds; the request is not one of ours'],
  'Message timestamp too old': ['time', "signed more than five minutes ago; refuse it, and check this machine's clock"],
  'Message timestamp too new': ['time', "signed for more than five minutes ahead; check this machine's clock"],
};
const WRONG_SIGNATURE =
  'the signature does not fit; verify the body as it came, before it is parsed, with the secret of events.secretFile';

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

/** Headers of a request, as Node, fetch and their frameworks have them. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event in a request that a flow's endpoint got, once it is sure that a worker of ours has signed it. An event may come
 * more than once: take each `id` once, before you answer.
 * @param rawBody the body's bytes or text **as received**: parsed and written again they are others
 * @param secret content of the entity's `events.secretFile`; several while one replaces the other
 * @throws FlowEventError; Error where a secret is none, which is no fault of the request
 */
export function verifyFlowEvent(
  rawBody: string | Uint8Array,
  headers: RequestHeaders,
  secret: string | readonly string[],
): FlowEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new FlowEventError('signature', 'the body was parsed already; hand in its bytes or text as received');
  }
  const body = typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8');
  const given = plain(headers);
  const secrets = [secret].flat().map((each) => each.trim());
  if (!secrets.every(isEventSecret)) {
    throw new Error('secret: is not whsec_ and 24 to 64 bytes in base64; give the content of events.secretFile');
  }
  const problems = secrets.map((each) => signatureProblem(each, given, body));
  if (!problems.includes(undefined)) {
    throw new FlowEventError(...(PROBLEMS[problems[0] ?? ''] ?? (['signature', WRONG_SIGNATURE] as const)));
  }
  const { data } = Envelope.safeParse(parse(body));
  if (data?.id !== given['webhook-id']) {
    throw new FlowEventError('content', 'signed, but no event that this version knows; update walletflow');
  }
  return data as unknown as FlowEvent;
}

/** By lower-case name; of a header that came more than once, the first. */
function plain(headers: RequestHeaders): Record<string, string> {
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
