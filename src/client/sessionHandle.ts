import type { Client } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { oneTimeKey } from '../crypto/oneTimeKey';
import {
  type ApprovalCredentials,
  type ApprovalCredentialsRequest,
  CREDENTIALS_SEAL_FIELD,
  type SealedApprovalCredentials,
} from '../domain/approvalCredentials';
import { QUERIES, UPDATES } from '../domain/messages';
import type { PendingApproval } from '../domain/progress';
import type { SessionProgress } from '../domain/userSession';
import { FlowNotFoundError, FlowRefusedError } from './errors';
import { runningProgress } from './runningProgress';
import { WorkflowCaller, WorkflowEndedError } from './workflowCaller';

/** The session of a user, which opens the challenges of all the user's flows. It runs while these flows need it. */
export class SessionHandle {
  private readonly caller: WorkflowCaller;

  constructor(client: Client, workflowId: string) {
    this.caller = new WorkflowCaller(client, workflowId);
  }

  /**
   * Gets what the browser SDK needs so that the user can approve the open challenge. The result contains secrets of the
   * user, sealed for this call only. Pass it on to the user's browser, and do not store it.
   * @throws FlowRefusedError (nothing to approve now), FlowNotReachableError
   */
  approval(): Promise<ApprovalCredentials> {
    return requestChallengeCredentials(this.caller);
  }

  /** The current state of the session; undefined if it does not run, because no flow of the user needs it. */
  progress(): Promise<SessionProgress | undefined> {
    return runningProgress<SessionProgress>(this.caller);
  }
}

/**
 * The challenge that is open now instead of the one that a flow knows; undefined while the session replaces it. If the
 * session does not respond, the one that the flow knows.
 */
export async function openApproval(client: Client, known: PendingApproval): Promise<PendingApproval | undefined> {
  const caller = new WorkflowCaller(client, known.session);
  try {
    const { open } = await caller.withTimeout(() => caller.workflow.query<SessionProgress>(QUERIES.progress));
    const { challengeId } =
      open.find(({ challengeId: id, renewalOf }) => id === known.challengeId || renewalOf === known.challengeId) ?? {};
    return challengeId === undefined ? undefined : { ...known, challengeId };
  } catch {
    return known;
  }
}

/**
 * Gets the credentials for an open challenge from the user's session.
 * @param challengeId the expected challenge; without it, the one that is open
 * @throws FlowRefusedError (nothing to approve now), FlowNotReachableError
 */
export async function requestChallengeCredentials(
  session: WorkflowCaller,
  challengeId?: string,
): Promise<ApprovalCredentials> {
  try {
    return await requestApprovalCredentials(session, challengeId);
  } catch (error) {
    // A session runs only while flows need it.
    if (error instanceof FlowNotFoundError || error instanceof WorkflowEndedError) {
      const pause =
        challengeId === undefined ? '' : '; if the session was stopped, the flow starts it again within minutes';
      throw new FlowRefusedError(`The user has nothing to approve now; check the flow's progress${pause}`);
    }
    throw error;
  }
}

/**
 * Gets credentials from a flow or a session, sealed to a key pair that is created for this call. They cannot be read from
 * a history, not even with the key ring.
 * @param challengeId the expected challenge. The call is refused if another challenge is open by now.
 */
export async function requestApprovalCredentials(
  caller: WorkflowCaller,
  challengeId?: string,
): Promise<ApprovalCredentials> {
  const key = oneTimeKey();
  const request: ApprovalCredentialsRequest = { publicKey: key.publicKey, ...(challengeId && { challengeId }) };
  const { credentials } = await caller.update<SealedApprovalCredentials>(UPDATES.approval, request, randomUUID());
  return JSON.parse(
    await key.open(credentials, { flow: caller.workflowId, field: CREDENTIALS_SEAL_FIELD }),
  ) as ApprovalCredentials;
}
