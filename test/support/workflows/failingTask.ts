import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { UserAuth } from '../../../src/domain/userSession';
import { runFlow } from '../../../workflows/kit/runFlow';
import { SessionClient } from '../../../workflows/kit/sessionClient';

/**
 * A flow that fails its workflow task after it has sent a request and before the response arrives, as a task that times out
 * does. The next attempt of the task sends the same request again, when the response is already in the history.
 */
export async function failingTask(start: FlowStart<{ auth: UserAuth }>): Promise<Outcome<number>> {
  return runFlow(start, async (flow) => {
    const session = new SessionClient(flow, start.input.auth);
    let responses = 0;
    const response = session.readUser().then(() => responses++);
    // Sent after the request, in the same workflow task.
    await session.refreshUser();
    if (responses === 0) throw new Error('No response yet');
    await response;
    return responses;
  });
}
