import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { Sealer } from '../crypto/sealing';
import type { ApprovalCredentials } from '../domain/approvalCredentials';
import type { Decision } from '../domain/attention';
import { parseWorkflowId } from '../domain/flowId';
import type { InputRequestName, ProvidedInput } from '../domain/inputRequests';
import {
  type CancelRequest,
  type CancelResult,
  type DecideRequest,
  type ProvideRequest,
  type ProvideResult,
  QUERIES,
  type SealedBearerToken,
  UPDATES,
} from '../domain/messages';
import { type Outcome, withoutScreening } from '../domain/outcome';
import type { Progress } from '../domain/progress';
import { SEARCH_ATTRIBUTES } from '../domain/searchAttributes';
import { unansweredBy } from '../temporal/unanswered';
import { FlowInputError, FlowNotFoundError } from './errors';
import { endOfFlow, interruptionOf } from './flowEnd';
import { sealProvidedInput } from './sealProvidedInput';
import { sealToken, tokenProblem } from './sealToken';
import { openApproval, requestApprovalCredentials, requestChallengeCredentials } from './sessionHandle';
import { WorkflowCaller } from './workflowCaller';

/** Options of the messages that need a verified sender. */
export interface MessageOptions {
  /** JWT of the sender, from an issuer that the workers trust. They verify it and record its subject and issuer. */
  token: string;
  /**
   * Makes it safe to send a message again: messages of one kind with the same id are applied once and get the same
   * response. Random by default.
   */
  id?: string;
}

export interface DecideOptions extends MessageOptions {
  /**
   * `id` of the attention that the person saw, from `progress()` or the event `attention`. The flow refuses the choice if it
   * does not ask that question any more. By default, the one that this handle's `progress()` showed last.
   */
  attention?: string | undefined;
}

export interface HandleDeps {
  client: Client;
  /** Seals values for the workers. */
  sealer: Sealer;
}

/**
 * A flow, running or ended. Its ref is all that is needed to get it again, in any process.
 * @template R the flow's result @template I its input as the progress shows it
 */
export class FlowHandle<R, I = unknown> {
  private readonly caller: WorkflowCaller;
  /** Id of the attention that `progress` showed last. */
  private shownAttention = '';

  constructor(
    private readonly deps: HandleDeps,
    readonly workflowId: string,
    readonly ref: string,
  ) {
    this.caller = new WorkflowCaller(deps.client, workflowId);
  }

  /**
   * The current state of the flow. If no worker responds within 10 s, this returns a reduced state, read from the
   * search attributes and, of an ended flow, the outcome. Its `waitingFor` says which kind of worker is missing.
   *
   * `approval` comes from the user's session, which replaces a challenge that has expired. It is absent while no
   * challenge is open.
   * @throws FlowNotFoundError; UntrustedAnswerError if the flow has ended, and no worker of this installation wrote its
   * result
   */
  async progress(): Promise<Progress<R, I>> {
    const progress = await this.currentProgress();
    this.shownAttention = progress.attention?.id ?? this.shownAttention;
    return progress;
  }

  private async currentProgress(): Promise<Progress<R, I>> {
    try {
      const progress = await this.caller.withTimeout(() =>
        this.caller.workflow.query<Progress<R, I>>(QUERIES.progress),
      );
      const interrupted = progress.outcome ? undefined : await this.interrupted();
      if (interrupted) return { ...withoutHandlers(progress), ...interrupted };
      const { approval, ...others } = progress;
      const current = approval && (await openApproval(this.deps.client, approval));
      return current ? { ...others, approval: current } : others;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) throw new FlowNotFoundError(this.workflowId);
      return this.progressFromSearchAttributes(unansweredBy(error) ?? 'a worker: none responded');
    }
  }

  /**
   * Chooses one of the options of the flow's attention.
   * @throws FlowInputError (nothing was sent), FlowNotFoundError, FlowRefusedError (no such option, the flow does not ask
   *   this question, or the token is not accepted), FlowNotReachableError
   */
  async decide(
    choice: string,
    { token, attention = this.shownAttention, id = randomUUID() }: DecideOptions,
  ): Promise<Decision> {
    const request: DecideRequest = { choice, attention, by: await this.sealToken(token) };
    return this.caller.update<Decision>(UPDATES.decide, request, id);
  }

  /**
   * Sends an input that the flow's progress lists in `inputRequests`. Secrets are sealed for this flow before they are
   * sent.
   * @throws FlowInputError (nothing was sent), FlowNotFoundError, FlowRefusedError (the flow does not ask for it, or the
   *   token is not accepted), FlowNotReachableError
   */
  async provide<W extends InputRequestName>(
    name: W,
    data: ProvidedInput<W>,
    { token, id = randomUUID() }: MessageOptions,
  ): Promise<ProvideResult> {
    const sealed = await sealProvidedInput(this.deps.sealer, this.workflowId, name, data);
    return this.caller.update<ProvideResult>(
      UPDATES.provide,
      { name, data: sealed, by: await this.sealToken(token) } satisfies ProvideRequest,
      id,
    );
  }

  /**
   * Requests the flow's cancellation. The result says whether that is still possible.
   * @throws FlowInputError (nothing was sent), FlowNotFoundError, FlowRefusedError (the flow has ended, or the token is
   *   not accepted), FlowNotReachableError
   */
  async cancel({ token, id = randomUUID() }: MessageOptions): Promise<CancelResult> {
    return this.caller.update<CancelResult>(
      UPDATES.cancel,
      { by: await this.sealToken(token) } satisfies CancelRequest,
      id,
    );
  }

  /**
   * Gets what the browser SDK needs so that the user can approve the flow's challenge, or log in. The result contains
   * secrets of the user, sealed for this call only. Pass it on to the user's browser, and do not store it.
   * @throws FlowNotFoundError, FlowRefusedError (nothing to approve now), FlowNotReachableError
   */
  async approval(): Promise<ApprovalCredentials> {
    const { approval, restriction } = await this.progress();
    // A user who has to log in first needs the credentials of the login, which the flow has.
    if (!approval || restriction?.reason === 'loggedOut') return requestApprovalCredentials(this.caller);
    return requestChallengeCredentials(new WorkflowCaller(this.deps.client, approval.session), approval.challengeId);
  }

  /**
   * Waits for the end of the flow.
   * @throws FlowNotFoundError; UntrustedAnswerError if no worker of this installation wrote the result;
   * FlowInterruptedError if the flow has ended without an outcome, for example because it was terminated
   */
  result(): Promise<Outcome<R>> {
    return endOfFlow<R>(this.deps.client, this.workflowId);
  }

  /** What the progress shows of a flow that has ended without an outcome. */
  private async interrupted(): Promise<Pick<Progress, 'interruption' | 'endedAt'> | undefined> {
    const description = await this.describe();
    const interruption = await interruptionOf(this.deps.client, description);
    return interruption && { interruption, endedAt: description.closeTime?.toISOString() };
  }

  private describe(): Promise<WorkflowExecutionDescription> {
    return this.caller
      .withTimeout(() => this.caller.workflow.describe())
      .catch((error: unknown) => {
        throw error instanceof WorkflowNotFoundError ? new FlowNotFoundError(this.workflowId) : error;
      });
  }

  private async sealToken(token: string): Promise<SealedBearerToken> {
    const problem = tokenProblem(token, 'sender');
    if (problem !== undefined) throw new FlowInputError('a message', [problem]);
    return sealToken(this.deps.sealer, this.workflowId, token);
  }

  private async progressFromSearchAttributes(waitingFor: string): Promise<Progress<R, I>> {
    const description = await this.describe();
    const { typedSearchAttributes, status, closeTime, runId } = description;
    const interruption = await interruptionOf(this.deps.client, description);
    const attributes = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, String(value)]));
    const step = attributes.get(SEARCH_ATTRIBUTES.step);
    const attention = attributes.get(SEARCH_ATTRIBUTES.attention);
    return {
      ...flowIdOf(this.workflowId),
      ...(step && { step }),
      steps: [],
      ...(status.name === 'RUNNING' && { waitingFor }),
      // The server has the outcome, so it needs no worker.
      ...(status.name === 'COMPLETED' && {
        outcome: withoutScreening(await endOfFlow<R>(this.deps.client, this.workflowId, runId)),
      }),
      ...(interruption && { interruption }),
      ...(closeTime && { endedAt: closeTime.toISOString() }),
      ...(attention &&
        status.name === 'RUNNING' && {
          attention: {
            id: '',
            name: attention,
            reason: attention,
            remedy: 'start a worker to see the options',
            options: [],
          },
        }),
      pastPointOfNoReturn: false,
      resources: {},
    };
  }
}

/** A flow that does not run takes no messages. */
function withoutHandlers<R, I>(progress: Progress<R, I>): Progress<R, I> {
  return { ...progress, waitingFor: undefined, attention: undefined, approval: undefined, inputRequests: [] };
}

function flowIdOf(workflowId: string): Pick<Progress, 'entity' | 'flow' | 'ref'> {
  return parseWorkflowId(workflowId) ?? { entity: '', flow: '', ref: workflowId };
}
