import { CancellationScope } from '@temporalio/workflow';
import type { SessionOperation, SessionRequest } from '../../../src/domain/userSession';
import { localActivities, untilDone } from '../../kit/activities';

/** The operations that send something to the API, or replace the tokens. The others only read, or give something up. */
const CHECKED: ReadonlySet<SessionOperation['type']> = new Set(['openChallenge', 'login', 'renewTokens']);

/**
 * Admits requests of flows that run. Anyone who can write to the namespace can send a copy of an old request to a later
 * session, which has not seen it (docs/security.md#write-access-to-the-namespace). Requests keep their order.
 */
export class RequestAdmission {
  private last: Promise<unknown> = Promise.resolve();

  /** @returns whether the request counts, after the requests that came before it */
  admit(request: SessionRequest): Promise<boolean> {
    const admitted = this.last.then(() => !CHECKED.has(request.operation.type) || isOfRunningFlow(request));
    this.last = admitted;
    return admitted;
  }
}

/** A cancellation of the session does not stop the check. */
function isOfRunningFlow({ flow, firstRunId }: SessionRequest): Promise<boolean> {
  return CancellationScope.nonCancellable(() => untilDone(() => localActivities.isFlowRunning(flow, firstRunId)));
}
