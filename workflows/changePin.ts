import type { FlowStart } from '../src/domain/flowStart';
import type { Outcome } from '../src/domain/outcome';
import { PIN_CHANGES } from '../src/domain/pinChange';
import type { ChangePinInput, ChangePinResult } from '../src/flows/changePin';
import { deadlineOf } from './kit/deadline';
import { runFlow } from './kit/runFlow';
import { SessionLine } from './kit/session';
import { approve } from './steps/approve';

/** Has a user set, change or restore the PIN. */
export async function changePin(start: FlowStart<ChangePinInput>): Promise<Outcome<ChangePinResult>> {
  const { userId, action } = start.input;
  return runFlow(start, async (flow) => {
    const until = deadlineOf(start.input);
    const line = new SessionLine(flow, { by: 'pin', userId });
    const request = { step: action, call: PIN_CHANGES[action], body: {}, until };
    const { id: challengeId, approvedLate } = await flow.step('approve', () => approve(flow, line, request));
    flow.note({ challengeId });
    const { pinStatus } = await flow.step('report', () => line.readUser());
    return { action, pinStatus, challengeId, approvedLate };
  });
}
