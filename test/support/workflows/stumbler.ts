import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { UserAuth } from '../../../src/domain/userSession';
import { runFlow } from '../../../workflows/kit/runFlow';
import { SessionLine } from '../../../workflows/kit/session';

/**
 * A flow that fails its workflow task when the question is sent and not answered yet, as a task that times out does: the
 * next try asks the same again, after the answer has come.
 */
export async function stumbler(start: FlowStart<{ auth: UserAuth }>): Promise<Outcome<number>> {
  return runFlow(start, async (flow) => {
    const line = new SessionLine(flow, start.input.auth);
    let answered = 0;
    const answer = line.readUser().then(() => answered++);
    // Sent after the question, in the same workflow task.
    await line.recheck();
    if (answered === 0) throw new Error('stumbles');
    await answer;
    return answered;
  });
}
