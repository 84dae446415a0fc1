import { randomUUID } from 'node:crypto';
import {
  type Client,
  isGrpcServiceError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Sealer } from '../crypto/sealing';
import { type Bearer, type CancelAnswer, type Provided, QUERIES, TOKEN_FIELD, UPDATES } from '../domain/messages';
import type { Decision } from '../domain/attention';
import type { Outcome } from '../domain/outcome';
import type { Progress } from '../domain/progress';
import type { ProvisionInput, ProvisionName } from '../domain/provisions';
import { parseWorkflowId } from '../domain/ref';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import { FlowInputError, FlowNotFoundError, FlowNotReachableError, FlowRefusedError } from './errors';
import { sealProvision } from './provide';

/** How long a worker has to answer a query or take a message. */
const ANSWER_MS = 10_000;

/** More than the headers that issuers' tokens are made for. */
const LONGEST_TOKEN = 16_384;

/** gRPC status. */
const FAILED_PRECONDITION = 9;
const OVERTAKEN_ATTEMPTS = 5;

/** What every message of a person takes. */
export interface MessageOptions {
  /** JWT of who sends it, of an issuer that the workers believe; they verify it, and record its subject and issuer. */
  token: string;
  /** Makes sending again harmless: the same id counts once, and is answered the same. */
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
  private readonly workflow: WorkflowHandle;

  constructor(
    private readonly deps: HandleDeps,
    readonly workflowId: string,
    readonly ref: string,
  ) {
    this.workflow = deps.client.workflow.getHandle(workflowId);
  }

  /**
   * How the flow is doing. When no worker answers, a shorter answer comes from the search attributes.
   * @throws FlowNotFoundError
   */
  async progress(): Promise<Progress<R>> {
    try {
      return await this.timed(() => this.workflow.query<Progress<R>>(QUERIES.progress));
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw new FlowNotFoundError(this.workflowId);
      return this.shortProgress();
    }
  }

  /**
   * Chooses one of the options that the flow's attention shows.
   * @throws FlowNotFoundError, FlowRefusedError (no such option, nothing to decide, the token), FlowNotReachableError
   */
  async decide(choice: string, { token, id = randomUUID() }: MessageOptions): Promise<Decision> {
    return this.send<Decision>(UPDATES.decide, { choice, by: await this.bearer(token) }, id);
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
    return this.send<Provided>(UPDATES.provide, { what, data: sealed, by: await this.bearer(token) }, id);
  }

  /**
   * Calls the flow back, as far as that is possible; the answer says how far.
   * @throws FlowNotFoundError, FlowRefusedError (the flow has ended), FlowNotReachableError
   */
  async cancel({ token, id = randomUUID() }: MessageOptions): Promise<CancelAnswer> {
    return this.send<CancelAnswer>(UPDATES.cancel, { by: await this.bearer(token) }, id);
  }

  /** Waits for the flow's end. @throws FlowNotFoundError */
  async result(): Promise<Outcome<R>> {
    try {
      return (await this.workflow.result()) as Outcome<R>;
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

  private async send<A>(update: string, argument: object, id: string): Promise<A> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.timed(() =>
          this.workflow.executeUpdate<A, [object]>(update, { args: [argument], updateId: id }),
        );
      } catch (error) {
        if (isOvertaken(error) && attempt < OVERTAKEN_ATTEMPTS) continue;
        if (isOvertaken(error) || error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
          throw new FlowNotReachableError(this.workflowId, id);
        }
        if (error instanceof WorkflowUpdateFailedError)
          throw new FlowRefusedError(error.cause?.message ?? error.message);
        if (error instanceof WorkflowNotFoundError) throw await this.missingOrEnded();
        throw error;
      }
    }
  }

  /** The server calls both a missing and an ended workflow "not found". */
  private async missingOrEnded(): Promise<Error> {
    try {
      await this.workflow.describe();
      return new FlowRefusedError('The flow has ended; its result tells how');
    } catch {
      return new FlowNotFoundError(this.workflowId);
    }
  }

  private async shortProgress(): Promise<Progress<R>> {
    const { typedSearchAttributes, status } = await this.timed(() => this.workflow.describe()).catch(
      (error: unknown) => {
        throw error instanceof WorkflowNotFoundError ? new FlowNotFoundError(this.workflowId) : error;
      },
    );
    const attributes = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, String(value)]));
    const step = attributes.get(SEARCH_ATTRIBUTES.step);
    const attention = attributes.get(SEARCH_ATTRIBUTES.attention);
    return {
      ...nameOf(this.workflowId),
      ...(step && { step }),
      steps: [],
      ...(status.name === 'RUNNING' && { waitingFor: 'a worker: none answered' }),
      ...(attention && {
        attention: { name: attention, reason: attention, remedy: 'start workers to see the options', options: [] },
      }),
      pastPointOfNoReturn: false,
      resources: {},
    };
  }

  private timed<T>(call: () => Promise<T>): Promise<T> {
    return this.deps.client.connection.withDeadline(Date.now() + ANSWER_MS, call);
  }
}

function nameOf(workflowId: string): Pick<Progress, 'entity' | 'flow' | 'ref'> {
  return parseWorkflowId(workflowId) ?? { entity: '', flow: '', ref: workflowId };
}

/**
 * The server drops an update whose workflow task it has to repeat, because something else came in while the flow was about
 * to end with it: nothing was stored.
 */
function isOvertaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return isGrpcServiceError(cause) && cause.code === FAILED_PRECONDITION;
}
