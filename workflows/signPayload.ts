import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import type { SignPayloadInput, SignPayloadResult } from '../src/flows/signPayload';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { SessionLine } from './kit/session';
import { askToSign, sign } from './steps/sign';
import { validateSigner } from './steps/validateSigner';

/** Has a developer wallet sign, and reports the signature; or a user approve, whose browser alone learns it. */
export async function signPayload(start: FlowStart<SignPayloadInput>): Promise<Outcome<SignPayloadResult>> {
  const { input } = start;
  const { walletId, payload } = input;
  return runFlow(start, async (flow) => {
    const until = deadlineOf(input);
    const { userId } = await flow.step('validate', () => validateSigner(flow, input));
    const signed = { walletId, kind: payload.kind };
    if (userId === undefined) {
      const signature = await flow.step('sign', () => sign(flow, input));
      return { ...signed, deliveredTo: 'result' as const, ...signature };
    }
    const line = new SessionLine(flow, { by: 'pin', userId });
    const approval = await flow.step('sign', () => askToSign(flow, line, input, until));
    return { ...signed, deliveredTo: 'browser' as const, ...approval };
  });
}
