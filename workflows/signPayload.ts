import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { SignPayloadInput, SignPayloadResult } from '../src/flows/signPayload';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { signAsDeveloper, signAsUser } from './steps/sign';
import { signOnceDeployed } from './steps/signOnceDeployed';
import { validateSigner } from './steps/validateSigner';

/**
 * Signs with a wallet. The result contains the signature of a developer wallet. A user's signature is sent only to the
 * browser. A smart-contract wallet is deployed first, if it has to be.
 */
export async function signPayload(start: FlowStart<SignPayloadInput>): Promise<Outcome<SignPayloadResult>> {
  return runFlow(start, async (flow) => {
    const { input } = start;
    const deadlineAt = deadlineOf(input);
    const signer = await flow.step('validate', () => validateSigner(flow, input, deadlineAt));
    const { wallet, approver } = signer;
    return signOnceDeployed(flow, input, signer, async () =>
      approver
        ? { deliveredTo: 'browser', ...(await signAsUser(flow, approver.session, input, deadlineAt)) }
        : { deliveredTo: 'result', ...(await signAsDeveloper(flow, input, wallet)) },
    );
  });
}
