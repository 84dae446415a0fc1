import type { SignatureFacts, Signer, WalletFacts } from '../../activities';
import { option } from '../../src/domain/attention';
import { SIGNATURES } from '../../src/domain/signing';
import type { SignPayloadInput } from '../../src/flows/signPayload';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import type { SessionClient } from '../kit/sessionClient';
import { approve } from './approve';

const RETRY = option('retry', 'signs it again');
const GIVE_UP = option('giveUp', 'ends the flow as failed');

const UNEXPECTED_SIGNATURE = {
  name: 'UnexpectedSignature',
  reason: 'the API returned a signature that is not one of this payload by this wallet',
  remedy: 'report it to the provider of the API, and do not use signatures of this wallet until the cause is known',
};

/**
 * Signs with a developer wallet. The call can be repeated, so a lost reply needs no lookup. A signature that is not the one
 * asked for needs a decision. @throws FlowOutcomeError if the decision gives up
 */
export async function signAsDeveloper(
  flow: Flow,
  input: SignPayloadInput,
  { address, blockchain, accountType }: WalletFacts,
): Promise<SignatureFacts> {
  const sign: (body: never, signer: Signer) => Promise<SignatureFacts | 'unlike'> =
    flow.api[SIGNATURES[input.payload.kind].developer];
  for (;;) {
    const signed = await sign(bodyOf(input) as never, { address, blockchain, accountType });
    if (signed !== 'unlike') return signed;
    const choice = await flow.awaitDecision({ ...UNEXPECTED_SIGNATURE, options: [RETRY, GIVE_UP] });
    if (choice === 'giveUp') throw failedOutcome(UNEXPECTED_SIGNATURE);
  }
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
