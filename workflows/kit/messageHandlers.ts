import type { UpdateDefinition } from '@temporalio/common';
import { ActivityFailure, ApplicationFailure, CancellationScope, condition, workflowInfo } from '@temporalio/workflow';
import type { Actor } from '../../src/domain/actor';
import type { Decision, OpenAttention } from '../../src/domain/attention';
import type { Form } from '../../src/domain/forms';
import {
  inputRequestFields,
  type InputRequestName,
  type PendingInputRequest,
  providedInputProblems,
  type SealedProvidedInput,
} from '../../src/domain/inputRequests';
import { cancelForm, decideForm, provideForm } from '../../src/domain/messageForms';
import type {
  CancelRequest,
  CancelResult,
  DecideRequest,
  MessageName,
  ProvideRequest,
  ProvideResult,
  SealedBearerToken,
} from '../../src/domain/messages';
import type { ActorMessage, Progress } from '../../src/domain/progress';
import { verifyActor } from './activities';
import { cancelUpdate, decideUpdate, provideUpdate } from './messages';
import { onUpdate } from './receive';

/** An input that a flow accepts by `provide`. */
export interface InputRequest<N extends InputRequestName> {
  /** What the flow does with the input, in one line, for the progress. */
  effect: string;
  /** Whether the flow can use the input now. If not, the message is rejected. */
  isOpen(): boolean;
  /** Why the flow cannot use this data, and what to do; undefined if it can. */
  check?(data: SealedProvidedInput<N>): string | undefined;
  apply(data: SealedProvidedInput<N>, by: Actor): void;
}

/** How messages of one kind are handled. @template Q the request @template A the result */
interface MessageHandler<Q extends Authenticated, A> {
  form: Form<Q>;
  /** Why the message cannot be applied. Called before the sender is verified, and again afterwards. */
  problem(request: Q): string | undefined;
  /**
   * The question that the message answers. If that question has been closed, the message is not applied to a later one.
   */
  target(request: Q): unknown;
  /** Synchronous, so the flow never sees half of a message. */
  apply(request: Q, by: Actor): A;
  /** The message for the record, without its data. */
  describe(request: Q): string;
}

type Authenticated = { by: SealedBearerToken };

/** An attention that waits for a decision. */
interface Question {
  readonly attention: OpenAttention;
  decision?: Decision;
}

/** Maximum number of messages in the progress. The latest ones are kept. */
const MAX_RECORDED_MESSAGES = 50;

const TARGET_ENDED = 'The question that the message answers is closed; check the progress of the flow';
const FLOW_ENDED = 'The flow has ended; see its result';

/**
 * Handles the messages that people send to a flow: decisions, inputs and requests to cancel. Each is applied once or
 * rejected with a reason (docs/architecture.md#people-act-through-updates).
 */
export class MessageHandlers {
  /** Progress shows the last one, which is the most recent. When it is closed, the one before it is shown again. */
  private readonly questions: Question[] = [];
  private readonly inputRequests: { name: InputRequestName; request: InputRequest<InputRequestName> }[] = [];

  /**
   * Registers the handlers.
   * @param progress receives the record of messages, and the current attention
   * @param cancel requests the flow's cancellation
   */
  constructor(
    private readonly progress: Progress,
    private readonly cancel: (by: Actor) => CancelResult,
  ) {
    this.register<DecideRequest, Decision>(decideUpdate, {
      form: decideForm,
      problem: (request) => this.decisionProblem(request),
      target: (request) => this.questionOf(request),
      apply: (request, by) => (this.questionOf(request)!.decision = { choice: request.choice, by }),
      describe: ({ choice }) => choice,
    });
    this.register<ProvideRequest, ProvideResult>(provideUpdate, {
      form: provideForm,
      problem: (request) => this.inputProblem(request),
      target: ({ name }) => this.inputRequestOf(name),
      apply: ({ name, data }, by) => {
        this.inputRequestOf(name)!.apply(data as never, by);
        return { name, by };
      },
      describe: ({ name }) => name,
    });
    this.register<CancelRequest, CancelResult>(cancelUpdate, {
      form: cancelForm,
      problem: () => undefined,
      target: () => undefined,
      apply: (_request, by) => this.cancel(by),
      describe: () => 'cancel',
    });
  }

  /** Shows an attention until a decision arrives or the current scope is cancelled. */
  async awaitDecision<C extends string>(attention: OpenAttention<C>): Promise<Decision<C>> {
    const open: Question = { attention };
    this.questions.push(open);
    this.show();
    try {
      await condition(() => open.decision !== undefined);
    } catch (error) {
      // The sender has already been notified that the decision was applied, so it is valid in spite of the
      // cancellation.
      if (!open.decision) throw error;
    } finally {
      this.questions.splice(this.questions.indexOf(open), 1);
      this.show();
    }
    // The validator accepts only the choices of this attention.
    return open.decision as Decision<C>;
  }

  private show(): void {
    this.progress.attention = this.questions.at(-1)?.attention;
  }

  private questionOf({ attention: id }: DecideRequest): Question | undefined {
    return this.questions.find(({ attention }) => attention.id === id);
  }

  /**
   * From now on, accepts an input whenever its request is open. If several requests accept the same input, the most
   * recent one receives it.
   * @returns a function that stops accepting it
   */
  accepts<N extends InputRequestName>(name: N, request: InputRequest<N>): () => void {
    const entry = { name, request };
    this.inputRequests.push(entry);
    return () => void this.inputRequests.splice(this.inputRequests.indexOf(entry), 1);
  }

  private inputRequestOf(name: string): InputRequest<InputRequestName> | undefined {
    return this.inputRequests.findLast((each) => each.name === name)?.request;
  }

  /** The inputs that the flow accepts now. */
  get pendingInputRequests(): PendingInputRequest[] {
    return [...new Set(this.inputRequests.map(({ name }) => name))]
      .map((name) => ({ name, request: this.inputRequestOf(name)! }))
      .filter(({ request }) => request.isOpen())
      .map(({ name, request: { effect } }) => ({
        name,
        effect,
        fields: Object.keys(inputRequestFields(name)),
      }));
  }

  /**
   * The validator rejects a message that cannot be applied before its sender is verified. The flow continues during the
   * verification, so the handler checks again afterwards, and the sender learns if the message came too late.
   */
  private register<Q extends Authenticated, A>(update: UpdateDefinition<A, [Q]>, handler: MessageHandler<Q, A>): void {
    const message = update.name as MessageName;
    const problemOf = (request: Q) => (this.progress.outcome ? FLOW_ENDED : handler.problem(request));
    const handle = async (request: Q): Promise<A> => {
      const target = handler.target(request);
      const by = await verifySender(message, request.by);
      const problem = problemOf(request) ?? (handler.target(request) === target ? undefined : TARGET_ENDED);
      if (problem) throw ApplicationFailure.nonRetryable(problem, 'MessageRefused');
      this.record({ message, detail: handler.describe(request), by });
      return handler.apply(request, by);
    };
    onUpdate(update, handler.form, handle, problemOf);
  }

  private decisionProblem(request: DecideRequest): string | undefined {
    const question = this.questionOf(request);
    if (this.questions.every(({ decision }) => decision))
      return 'The flow is not waiting for a decision; check its progress';
    const { attention, choice } = request;
    if (attention === '')
      return 'attention: is missing; send the id of the attention that you have seen in the progress';
    if (!question || question.decision)
      return 'attention: the flow does not ask this question any more; check its progress, and decide what it asks now';
    const choices = question.attention.options.map((option) => option.choice);
    return choices.includes(choice) ? undefined : `choice: must be one of ${choices.join(', ')}`;
  }

  private inputProblem({ name, data }: ProvideRequest): string | undefined {
    const pending = this.pendingInputRequests.map((pendingRequest) => pendingRequest.name);
    const request = this.inputRequestOf(name);
    if (!request || !pending.includes(name)) {
      return `name: the flow asks ${pending.length > 0 ? `only for ${pending.join(', ')}` : 'for nothing'} now; check its progress`;
    }
    const problems = providedInputProblems(name, data, 'sealed');
    return problems.length > 0 ? problems.join('\n') : request.check?.(data as never);
  }

  private record(message: Omit<ActorMessage, 'at'>): void {
    const messages = (this.progress.messages ??= []);
    messages.push({ at: new Date().toISOString(), ...message });
    if (messages.length > MAX_RECORDED_MESSAGES) messages.shift();
  }
}

/** Verifies the sender even if the flow is being cancelled. @throws ApplicationFailure `IdentityRefused` */
async function verifySender(message: MessageName, { token }: SealedBearerToken): Promise<Actor> {
  const { workflowId } = workflowInfo();
  try {
    return await CancellationScope.nonCancellable(() => verifyActor({ flow: workflowId, message, token }));
  } catch (error) {
    throw error instanceof ActivityFailure && error.cause ? error.cause : error;
  }
}
