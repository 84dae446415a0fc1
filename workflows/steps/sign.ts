import type { SignatureFacts } from '../../activities';
import { SIGNATURES } from '../../src/domain/signing';
import type { SignPayloadInput } from '../../src/flows/signPayload';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';
import { approve } from './approve';

/** Signs with a developer wallet. The call can be repeated, so a lost reply needs no lookup. */
export function signAsDeveloper(flow: Flow, input: SignPayloadInput): Promise<SignatureFacts> {
  return flow.api[SIGNATURES[input.payload.kind].developer](bodyOf(input) as never);
}

/**
 * Asks a user to sign. The API returns the signature only to the browser that approved (docs/api-behavior.md#signing).
 */
export async function signAsUser(
  flow: Flow,
  session: SessionClient,
  input: SignPayloadInput,
  deadlineAt: number | undefined,
): Promise<{ challengeId: string; approvedLate?: true }> {
  const call = SIGNATURES[input.payload.kind].user;
  // `validateSigner` refuses these payloads.
  if (call === undefined) throw new Error(`Users cannot sign ${input.payload.kind}`);
  const { id, approvedLate } = await approve(flow, session, {
    step: 'sign',
    call,
    body: bodyOf(input),
    deadlineAt,
  });
  flow.addResources({ challengeId: id });
  return { challengeId: id, approvedLate };
}

/** The body of a signing call, without credentials. */
function bodyOf({ walletId, payload: { kind: _, ...content } }: SignPayloadInput): object {
  return { walletId, ...content };
}
