import type { FlowStart } from '../../../src/domain/flowStart';
import type { Outcome } from '../../../src/domain/outcome';
import type { UserAuth } from '../../../src/domain/userSession';
import { runFlow } from '../../../workflows/kit/runFlow';
import { SessionClient } from '../../../workflows/kit/sessionClient';

export interface SessionCallerInput {
  auth: UserAuth;
  operation: 'listWallets' | 'readUser';
  bursts: number;
  /** Concurrent requests in each burst. */
  burst: number;
}

/** A flow that sends bursts of concurrent requests to its user's session. @returns the number of responses */
export async function sessionCaller(start: FlowStart<SessionCallerInput>): Promise<Outcome<number>> {
  const { auth, operation, bursts, burst } = start.input;
  return runFlow(start, async (flow) => {
    const session = new SessionClient(flow, auth);
    return flow.step('ask', async () => {
      let responses = 0;
      for (let n = 0; n < bursts; n++) {
        responses += (await Promise.all(Array.from({ length: burst }, () => session[operation]()))).length;
      }
      return responses;
    });
  });
}
