import type { SignatureFacts } from '../../activities';
import type { SignPayloadInput } from '../../src/flows/signPayload';
import type { Flow } from '../kit/flow';
import { SIGNATURES } from '../../src/domain/signing';

/** Has a developer wallet sign, as the API's body says what. */
export function sign(flow: Flow, input: SignPayloadInput): Promise<SignatureFacts> {
  const call = SIGNATURES[input.payload.kind].developer;
  return flow.api[call](signingBody(input) as never);
}

/** The body of a signing call, without what proves who asks. */
export function signingBody({ walletId, payload: { kind: _, ...content } }: SignPayloadInput): object {
  return { walletId, ...content };
}
