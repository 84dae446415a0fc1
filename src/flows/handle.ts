import { randomUUID } from 'node:crypto';
import { type Client, QueryNotRegisteredError, WorkflowNotFoundError } from '@temporalio/client';
import type { Sealer } from '../crypto/sealing';
import type { Approval } from '../domain/approval';
import { type Bearer, type CancelAnswer, type Provided, QUERIES, TOKEN_FIELD, UPDATES } from '../domain/messages';
import type { Decision } from '../domain/attention';
import type { Outcome } from '../domain/outcome';
import type { Progress } from '../domain/progress';
import type { ProvisionInput, ProvisionName } from '../domain/provisions';
import { parseWorkflowId } from '../domain/ref';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import { FlowInputError, FlowNotFoundError } from './errors';
import { isFailedPrecondition, WorkflowLine } from './line';
import { sealProvision } from './provide';
import { askApproval } from './session';

/** More than the headers that issuers' tokens are made for. */
const LONGEST_TOKEN = 16_384;

/** What every message of a person takes. */
export interface MessageOptions {
  /** JWT of who sends it, of an issuer that the workers believe; they verify it, and record its subject and issuer. */
  token: string;
  /** Makes sending again harmless: messages of one kind with the same id count once, and are answered the same. */
  id?: string;
}

/** What handles speak to flows with. */
export interface HandleDeps {
  client: Client;
  /** Seals to the workers. */
  sealer: Sealer;
}

/** A flow, running or ended, found again by its ref from anywhere. */
export class FlowHandle<R> {
  private readonly line: WorkflowLine;

  constructor(
    private readonly deps: HandleDeps,
    readonly workflowId: string,
    readonly ref: string,
  ) {
    this.line = new WorkflowLine(deps.client, workflowId);
  }

  /**
   * How the flow is doing. When no worker answers, a shorter answer comes from the search attributes.
   * @throws FlowNotFoundError
   */
  async progress(): Promise<Progress<R>> {
    try {
      return await this.line.timed(() => this.line.workflow.query<Progress<R>>(QUERIES.progress));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw new FlowNotFoundError(this.workflowId);
      return this.shortProgress(missing(error));
    }
  }

  /**
   * Chooses one of the options that the flow's attention shows.
   * @throws FlowNotFoundError, FlowRefusedError (no such option, nothing to decide, the token), FlowNotReachableError
   */
  async decide(choice: string, { token, id = randomUUID() }: MessageOptions): Promise<Decision> {
    return this.line.update<Decision>(UPDATES.decide, { choice, by: await this.bearer(token) }, id);
  }

  /**
   * Gives the flow something that its progress asks for; secrets are sealed for this flow before they leave.
   * @throws FlowInputError (nothing was sent), FlowNotFoundError, FlowRefusedError (not asked for), FlowNotReachableError
   */
  async provide<W extends ProvisionName>(
    what: W,
    data: ProvisionInput<W>,
    { token, id = randomUUID() }: MessageOptions,
  ): Promise<Provided> {
    const sealed = await sealProvision(this.deps.sealer, this.workflowId, what, data);
    return this.line.update<Provided>(UPDATES.provide, { what, data: sealed, by: await this.bearer(token) }, id);
  }

  /**
   * Calls the flow back, as far as that is possible; the answer says how far.
   * @throws FlowNotFoundError, FlowRefusedError (the flow has ended), FlowNotReachableError
   */
  async cancel({ token, id = randomUUID() }: MessageOptions): Promise<CancelAnswer> {
    return this.line.update<CancelAnswer>(UPDATES.cancel, { by: await this.bearer(token) }, id);
  }

  /**
   * What the browser SDK needs so that the user approves what the flow waits for, or logs in: fresh, for this caller alone.
   * Pass it on to the user's browser and keep it nowhere.
   * @throws FlowNotFoundError, FlowRefusedError (nothing to approve now), FlowNotReachableError
   */
  async approval(): Promise<Approval> {
    const { approval, block } = await this.progress();
    // A user who has to log in first does that with what the flow has.
    if (!approval || block?.reason === 'loggedOut') return askApproval(this.line);
    return askApproval(new WorkflowLine(this.deps.client, approval.session), approval.challengeId);
  }

  /** Waits for the flow's end. @throws FlowNotFoundError */
  async result(): Promise<Outcome<R>> {
    try {
      return (await this.line.workflow.result()) as Outcome<R>;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw new FlowNotFoundError(this.workflowId);
      throw error;
    }
  }

  /** The token, for this flow's workers alone. */
  private async bearer(token: string): Promise<Bearer> {
    if (typeof token !== 'string' || token === '' || token.length > LONGEST_TOKEN) {
      throw new FlowInputError('a message', [
        `token: is no text of 1 to ${LONGEST_TOKEN} characters; give the JWT of whoever sends it`,
      ]);
    }
    return { token: await this.deps.sealer.seal(token, { flow: this.workflowId, field: TOKEN_FIELD }) };
  }

  private async shortProgress(waitingFor: string): Promise<Progress<R>> {
    const { typedSearchAttributes, status, closeTime } = await this.line
      .timed(() => this.line.workflow.describe())
      .catch((error: unknown) => {
        throw error instanceof WorkflowNotFoundError ? new FlowNotFoundError(this.workflowId) : error;
      });
    const attributes = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, String(value)]));
    const step = attributes.get(SEARCH_ATTRIBUTES.step);
    const attention = attributes.get(SEARCH_ATTRIBUTES.attention);
    return {
      ...nameOf(this.workflowId),
      ...(step && { step }),
      steps: [],
      ...(status.name === 'RUNNING' && { waitingFor }),
      ...(closeTime && { endedAt: closeTime.toISOString() }),
      ...(attention && {
        attention: { name: attention, reason: attention, remedy: 'start workers to see the options', options: [] },
      }),
      pastPointOfNoReturn: false,
      resources: {},
    };
  }
}

/** What kind of worker it takes for an answer, by how the query failed. */
function missing(error: unknown): string {
  // The server asks no worker while the flow's last workflow task is a failed one.
  if (isFailedPrecondition(error)) return "a worker with fixed code: the flow's workflow task fails or times out";
  if (error instanceof QueryNotRegisteredError)
    return `a worker with fixed code: one could not answer (${error.message})`;
  return 'a worker: none answered';
}

function nameOf(workflowId: string): Pick<Progress, 'entity' | 'flow' | 'ref'> {
  return parseWorkflowId(workflowId) ?? { entity: '', flow: '', ref: workflowId };
}
