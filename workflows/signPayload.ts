import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { SignPayloadInput, SignPayloadResult } from '../src/flows/signPayload';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { SessionClient } from './kit/sessionClient';
import { signAsDeveloper, signAsUser } from './steps/sign';
import { validateSigner } from './steps/validateSigner';

/**
 * Signs with a wallet. The result contains the signature of a developer wallet. A user's signature is sent only to the
 * browser.
 */
export async function signPayload(start: FlowStart<SignPayloadInput>): Promise<Outcome<SignPayloadResult>> {
  return runFlow(start, async (flow) => {
    const { input } = start;
    const { walletId, payload } = input;
    const deadlineAt = deadlineOf(input);
    const wallet = await flow.step('validate', () => validateSigner(flow, input));
    const { userId } = wallet;
    const signed = { walletId, kind: payload.kind };
    if (userId === undefined) {
      const signature = await flow.step('sign', () => signAsDeveloper(flow, input, wallet));
      return { ...signed, deliveredTo: 'result' as const, ...signature };
    }
    const session = new SessionClient(flow, { method: 'pin', userId });
    const approval = await flow.step('sign', () => signAsUser(flow, session, input, deadlineAt));
    return { ...signed, deliveredTo: 'browser' as const, ...approval };
  });
}
