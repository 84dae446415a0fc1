import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { UserAuth } from '../../../src/domain/userSession';
import { runFlow } from '../../../workflows/kit/runFlow';
import { SessionLine } from '../../../workflows/kit/session';

export interface AskerInput {
  auth: UserAuth;
  what: 'listWallets' | 'readUser';
  bursts: number;
  /** Questions at once. */
  burst: number;
}

/** A flow that asks its user's session, several questions at once. @returns how many were answered */
export async function asker(start: FlowStart<AskerInput>): Promise<Outcome<number>> {
  const { auth, what, bursts, burst } = start.input;
  return runFlow(start, async (flow) => {
    const line = new SessionLine(flow, auth);
    return flow.step('ask', async () => {
      let answered = 0;
      for (let n = 0; n < bursts; n++) {
        answered += (await Promise.all(Array.from({ length: burst }, () => line[what]()))).length;
      }
      return answered;
    });
  });
}
