import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import { PIN_CHANGES } from '../src/domain/pinChange';
import type { ChangePinInput, ChangePinResult } from '../src/flows/changePin';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { SessionClient } from './kit/sessionClient';
import { approve } from './steps/approve';
import { reportPin } from './steps/reportPin';

/** Asks a user to set, change or restore the PIN. */
export async function changePin(start: FlowStart<ChangePinInput>): Promise<Outcome<ChangePinResult>> {
  return runFlow(start, async (flow) => {
    const { userId, action } = start.input;
    const deadlineAt = deadlineOf(start.input);
    const session = new SessionClient(flow, { method: 'pin', userId });
    const { id: challengeId, approvedLate } = await flow.step('approve', () =>
      approve(flow, session, { step: action, call: PIN_CHANGES[action], body: {}, deadlineAt }),
    );
    flow.addResources({ challengeId });
    const pinStatus = await flow.step('report', () => reportPin(flow, session));
    return { action, pinStatus, challengeId, approvedLate };
  });
}
