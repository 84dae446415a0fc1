import type { SignatureFacts } from '../../activities';
import { SIGNATURES } from '../../src/domain/signing';
import type { SignPayloadInput } from '../../src/flows/signPayload';
import type { Flow } from '../kit/flow';
import type { SessionLine } from '../kit/session';
import { approve } from './approve';

/** Has a developer wallet sign. Repeatable: an attempt whose reply was lost is made again. */
export function sign(flow: Flow, input: SignPayloadInput): Promise<SignatureFacts> {
  return flow.api[SIGNATURES[input.payload.kind].developer](bodyOf(input) as never);
}

/** Has a user sign. What was signed is the answer to the browser that approved, and is told nobody else (api-facts 5). */
export async function askToSign(
  flow: Flow,
  line: SessionLine,
  input: SignPayloadInput,
  until: number | undefined,
): Promise<{ challengeId: string; approvedLate?: true }> {
  const call = SIGNATURES[input.payload.kind].user;
  // `validateSigner` has refused it.
  if (call === undefined) throw new Error(`Users sign no ${input.payload.kind}`);
  const { id, approvedLate } = await approve(flow, line, { step: 'sign', call, body: bodyOf(input), until });
  flow.note({ challengeId: id });
  return { challengeId: id, approvedLate };
}

/** The body of a signing call, without what proves who asks. */
function bodyOf({ walletId, payload: { kind: _, ...content } }: SignPayloadInput): object {
  return { walletId, ...content };
}
