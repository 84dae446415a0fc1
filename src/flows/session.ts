import { randomUUID } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { oneTimeKey } from '../crypto/oneTimeKey';
import { type Approval, APPROVAL_FIELD, type ApprovalRequest, type SealedApproval } from '../domain/approval';
import { QUERIES, UPDATES } from '../domain/messages';
import type { SessionProgress } from '../domain/userSession';
import { FlowNotFoundError, FlowRefusedError } from './errors';
import { WorkflowLine } from './line';

/** A user's session, which has what the user's app needs. It comes and goes with the user's flows. */
export class SessionHandle {
  private readonly line: WorkflowLine;

  constructor(client: Client, workflowId: string) {
    this.line = new WorkflowLine(client, workflowId);
  }

  /**
   * What the browser SDK needs for the challenge that is open, fresh: pass it on to the user's browser and keep it nowhere.
   * @throws FlowRefusedError (nothing to approve now), FlowNotReachableError
   */
  async approval(): Promise<Approval> {
    try {
      return await askApproval(this.line);
    } catch (error) {
      if (error instanceof FlowNotFoundError) {
        throw new FlowRefusedError("No flow of the user waits for an approval; look at the flow's progress");
      }
      throw error;
    }
  }

  /** What is known of the user now; undefined where none of the user's flows has asked for anything lately. */
  async progress(): Promise<SessionProgress | undefined> {
    try {
      if ((await this.line.timed(() => this.line.workflow.describe())).status.name !== 'RUNNING') return undefined;
      return await this.line.timed(() => this.line.workflow.query<SessionProgress>(QUERIES.progress));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  }
}

/**
 * Asks with a key made for this answer: neither histories nor whoever has the key ring can read it.
 * @param challengeId of the one challenge that is meant: another that is open by now is no answer
 */
export async function askApproval(line: WorkflowLine, challengeId?: string): Promise<Approval> {
  const key = oneTimeKey();
  const request: ApprovalRequest = { publicKey: key.publicKey, ...(challengeId && { challengeId }) };
  const { approval } = await line.update<SealedApproval>(UPDATES.approval, request, randomUUID());
  return JSON.parse(await key.open(approval, { flow: line.workflowId, field: APPROVAL_FIELD })) as Approval;
}
