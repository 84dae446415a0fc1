import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { SignPayloadInput, SignPayloadResult } from '../src/flows/signPayload';
import { runFlow } from './kit/runFlow';
import { sign } from './steps/sign';
import { validateSigner } from './steps/validateSigner';

/** Has a developer wallet sign, and reports the signature; or a user approve, whose browser alone learns it. */
export async function signPayload(start: FlowStart<SignPayloadInput>): Promise<Outcome<SignPayloadResult>> {
  const { input } = start;
  return runFlow(start, async (flow) => {
    await flow.step('validate', () => validateSigner(flow, input));
    const signed = await flow.step('sign', () => sign(flow, input));
    return { walletId: input.walletId, kind: input.payload.kind, deliveredTo: 'result', ...signed };
  });
}
