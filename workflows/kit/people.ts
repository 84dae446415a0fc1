import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import type { Attention, Decision } from '../../src/domain/attention';
import type {
  Bearer,
  CancelAnswer,
  CancelRequest,
  DecideRequest,
  MessageName,
  Provided,
  ProvideRequest,
} from '../../src/domain/messages';
import type { Person } from '../../src/domain/person';
import type { Message, Progress } from '../../src/domain/progress';
import {
  type Asked,
  fieldsOf,
  type ProvisionData,
  type ProvisionName,
  provisionProblems,
} from '../../src/domain/provisions';
import { isSealed } from '../../src/domain/sealed';
import { verifyPerson } from './activities';
import { cancelUpdate, decideUpdate, provideUpdate } from './messages';

/** Something that people may provide to a flow, and what the flow does with it. */
export interface Provision<W extends ProvisionName> {
  /** What happens when it is given, one line, shown with what the flow asks for. */
  effect: string;
  /** Whether it can be used now; nothing that is not wanted is taken. */
  wanted(): boolean;
  /** What keeps these data from being used, with what to do; undefined when nothing does. */
  check?(data: ProvisionData<W>): string | undefined;
  take(data: ProvisionData<W>, by: Person): void;
}

/** A message as its handler sees it. */
interface Handling<Q extends Signed, A> {
  /** What can't be applied, and why; asked before anybody is verified, and again before it is applied. */
  problem(request: Q): string | undefined;
  /** What the message is about: it is applied to that alone, never to what came in its place. */
  about(request: Q): unknown;
  /** Applied at once: what a flow sees of a message is all of it. */
  apply(request: Q, by: Person): A;
  /** What was said, for the record; no data. */
  what(request: Q): string;
}

type Signed = { by: Bearer };

/** An attention that is open, until a person has decided. */
interface Question {
  readonly attention: Attention;
  decision?: Decision;
}

/** So many messages are remembered in progress, the newest. */
const REMEMBERED = 50;

const OVERTAKEN = 'What it was about is over; look at its progress';
const ENDED = 'The flow has ended; its result tells how';

/** What people say to a flow: decisions, data, cancels, each applied once or refused with the reason (DESIGN rule 7). */
export class People {
  /** The newest, which is the last, is shown; those before it are shown again when it is over. */
  private readonly questions: Question[] = [];
  private readonly provisions: { what: ProvisionName; provision: Provision<ProvisionName> }[] = [];

  /**
   * Listens from now on.
   * @param progress what is said is recorded there; decisions are about the attention that it shows
   * @param cancel calls the flow back
   */
  constructor(
    private readonly progress: Progress,
    private readonly cancel: (by: Person) => CancelAnswer,
  ) {
    this.listen<DecideRequest, Decision>(decideUpdate, {
      problem: (request) => this.decisionProblem(request),
      about: () => this.question,
      apply: ({ choice }, by) => (this.question!.decision = { choice, by }),
      what: ({ choice }) => choice,
    });
    this.listen<ProvideRequest, Provided>(provideUpdate, {
      problem: (request) => this.provisionProblem(request),
      about: ({ what }) => this.provisionOf(what),
      apply: ({ what, data }, by) => {
        this.provisionOf(what)!.take(data as never, by);
        return { what, by };
      },
      what: ({ what }) => what,
    });
    this.listen<CancelRequest, CancelAnswer>(cancelUpdate, {
      problem: () => undefined,
      about: () => undefined,
      apply: (_request, by) => this.cancel(by),
      what: () => 'cancel',
    });
  }

  /** Shows an attention until a person has chosen among its options, or the scope is cancelled. */
  async choice(attention: Attention): Promise<Decision> {
    const question: Question = { attention };
    this.questions.push(question);
    this.show();
    try {
      await condition(() => question.decision !== undefined);
    } catch (error) {
      // A decision whose sender was told that it counts does count.
      if (!question.decision) throw error;
    } finally {
      this.questions.splice(this.questions.indexOf(question), 1);
      this.show();
    }
    return question.decision!;
  }

  private get question(): Question | undefined {
    return this.questions.at(-1);
  }

  private show(): void {
    this.progress.attention = this.question?.attention;
  }

  /**
   * From now on this may be provided, whenever it is wanted; of several the newest takes it.
   * @returns takes it back
   */
  provides<W extends ProvisionName>(what: W, provision: Provision<W>): () => void {
    const own = { what, provision };
    this.provisions.push(own);
    return () => void this.provisions.splice(this.provisions.indexOf(own), 1);
  }

  private provisionOf(what: string): Provision<ProvisionName> | undefined {
    return this.provisions.findLast((each) => each.what === what)?.provision;
  }

  /** What can be provided now. */
  get asks(): Asked[] {
    return [...new Set(this.provisions.map(({ what }) => what))]
      .map((what) => ({ what, provision: this.provisionOf(what)! }))
      .filter(({ provision }) => provision.wanted())
      .map(({ what, provision: { effect } }) => ({ what, effect, fields: Object.keys(fieldsOf(what)) }));
  }

  /**
   * Nobody is verified for what can't be applied anyway. Verifying takes a moment in which the flow goes on: what can't be
   * applied any more is refused then, so that each sender hears what became of the message (field case WF-06).
   */
  private listen<Q extends Signed, A>(update: UpdateDefinition<A, [Q]>, handling: Handling<Q, A>): void {
    const message = update.name as MessageName;
    const problem = (request: Q) => (this.progress.outcome ? ENDED : handling.problem(request));
    const handler = async (request: Q): Promise<A> => {
      const about = handling.about(request);
      const by = await verified(message, request.by);
      const late = problem(request) ?? (handling.about(request) === about ? undefined : OVERTAKEN);
      if (late) throw ApplicationFailure.nonRetryable(late, 'MessageRefused');
      this.record({ message, what: handling.what(request), by });
      return handling.apply(request, by);
    };
    const validator = (request?: Partial<Q>) => {
      if (!isSealed(request?.by?.token))
        throw new Error("by: is no sealed token; send it with a handle, which seals the caller's JWT");
      const found = problem(request as Q);
      if (found) throw new Error(found);
    };
    setHandler(update, handler, { validator });
  }

  private decisionProblem({ choice }: DecideRequest): string | undefined {
    const { question } = this;
    if (!question || question.decision) return 'The flow waits for no decision; look at its progress';
    const choices = question.attention.options.map((option) => option.choice);
    return choices.includes(choice) ? undefined : `choice: one of ${choices.join(', ')} is needed`;
  }

  private provisionProblem({ what, data }: ProvideRequest): string | undefined {
    const wanted = this.asks.map((asked) => asked.what);
    const provision = this.provisionOf(what);
    if (!provision || !wanted.includes(what)) {
      return `what: the flow ${wanted.length > 0 ? `asks for ${wanted.join(', ')} alone` : 'asks for nothing'} now; look at its progress`;
    }
    const problems = provisionProblems(what, data, 'sealed');
    return problems.length > 0 ? problems.join('\n') : provision.check?.(data as never);
  }

  private record(said: Omit<Message, 'at'>): void {
    const messages = (this.progress.messages ??= []);
    messages.push({ at: new Date().toISOString(), ...said });
    if (messages.length > REMEMBERED) messages.shift();
  }
}

/** A cancel of the flow does not keep anybody from being heard. @throws ApplicationFailure `IdentityRefused` */
async function verified(message: MessageName, { token }: Bearer): Promise<Person> {
  const { workflowId } = workflowInfo();
  try {
    return await CancellationScope.nonCancellable(() => verifyPerson({ flow: workflowId, message, token }));
  } catch (error) {
    throw error instanceof ActivityFailure && error.cause ? error.cause : error;
  }
}
