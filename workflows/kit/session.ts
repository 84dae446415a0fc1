import { CancellationScope, condition, isCancellation, setHandler, uuid4, workflowInfo } from '@temporalio/workflow';
import type { UserFacts, WalletFacts } from '../../activities';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type {
  ChallengeFacts,
  ChallengeOrder,
  LoginTokens,
  SessionAsk,
  SessionTelling,
  UserAuth,
  UserBlock,
} from '../../src/domain/userSession';
import { local } from './activities';
import { SessionDeadline, SessionFailure } from './failure';
import type { Flow } from './flow';
import { sessionSignal } from './messages';

/** A question to the session. Several may wait for its one answer. */
interface Asked {
  readonly id: string;
  answer?: Extract<SessionTelling, { id: string }>;
}

/** A login that is under way, for the requests that wait for it. */
interface LoginAgain {
  scope: CancellationScope;
  waiting: Set<Asked>;
  end?: { error?: unknown };
}

/**
 * A flow's line to its user's session, which makes all calls with the user's token. Asks by signal, with an id; the
 * answer is a signal too. Waiting for it adds nothing to the history. One a flow.
 */
export class SessionLine {
  /** Where a flow that can have the user log in again does so, once for all that wait; the others wait until one does. */
  loginAgain: (() => Promise<LoginTokens>) | undefined;
  /** Not answered yet, by id. */
  private readonly asked = new Map<string, Asked>();
  /** Answers that are here before their questions: a workflow task that is tried again has asked before, with the same ids. */
  private readonly early = new Map<string, Asked['answer']>();
  /** Those that go on although nobody may wait for the answer at the moment, by what they ask. */
  private readonly going = new Map<string, Asked>();
  private sessionId = '';
  private told: UserBlock | undefined;
  private loggingIn: LoginAgain | undefined;

  constructor(
    private readonly flow: Flow,
    private auth: UserAuth,
  ) {
    setHandler(sessionSignal, (telling) => this.hear(telling));
  }

  /** Workflow id of the session; known once something was asked. */
  get session(): string {
    return this.sessionId;
  }

  /** What keeps the user from approving anything now. */
  get block(): UserBlock | undefined {
    return this.told;
  }

  /**
   * Opens a challenge, when the user has no other one open.
   * @throws SessionFailure; a cancel takes the order back, and is told by what became of it: the challenge, or `Withdrawn`
   */
  async order(order: ChallengeOrder): Promise<ChallengeFacts> {
    const asked = await this.put({ what: 'order', order });
    try {
      return await this.answer(asked);
    } catch (error) {
      if (error instanceof SessionFailure) throw error;
      return this.flow
        .unstoppable(() => this.withdraw(asked))
        .catch((failure: unknown) => {
          // Of a user who did not log in, that is what the flow has to say.
          throw isCancellation(error) ? failure : error;
        });
    }
  }

  /** One look for what an order with an unknown outcome made. @throws SessionFailure */
  find(order: ChallengeOrder): Promise<ChallengeFacts | undefined> {
    return this.ask({ what: 'find', order });
  }

  /** The end of a challenge: complete, failed or expired. A cancel ends the wait and touches nothing. */
  ended(challengeId: string): Promise<ChallengeFacts> {
    return this.goOn(`ended ${challengeId}`, { what: 'ended', challengeId });
  }

  /** The flow wants nothing more of a challenge: the session goes on with what others want. */
  async release(challengeId: string): Promise<void> {
    await this.send({ what: 'release', challengeId });
  }

  /** The user's app reported that something is wrong with the challenge: the session reads it now. */
  async look(challengeId: string): Promise<void> {
    await this.send({ what: 'look', challengeId });
  }

  /** Something may keep the user from approving, or no longer: the session reads the user now. */
  async recheck(): Promise<void> {
    await this.send({ what: 'recheck' });
  }

  /** The client's token or key was refused: the session renews the pair, where the user logged in. */
  async renew(): Promise<void> {
    await this.send({ what: 'renew' });
  }

  /** The user logged in (again): tokens sealed for the session's workflow id. */
  async login(tokens: LoginTokens): Promise<void> {
    this.auth = { by: 'login', userId: this.auth.userId, tokens };
    this.told = undefined;
    await this.send({ what: 'login', tokens });
  }

  readUser(): Promise<UserFacts> {
    return this.ask({ what: 'readUser' });
  }

  listWallets(): Promise<WalletFacts[]> {
    return this.ask({ what: 'listWallets' });
  }

  /**
   * Waits until a transaction is final, or stuck where `stuck` asks for that.
   * @throws SessionDeadline after `deadlineMs`; asked again, it goes on waiting
   */
  followTransaction(id: string, heed: { stuck: boolean; deadlineMs?: number }): Promise<TransactionFacts> {
    const { stuck, deadlineMs } = heed;
    return this.goOn(`transaction ${id} ${stuck}`, { what: 'followTransaction', id, stuck }, deadlineMs);
  }

  private async ask<T>(ask: SessionAsk): Promise<T> {
    return this.answer(await this.put(ask));
  }

  /** Joins the same question where it is still open. */
  private async goOn<T>(about: string, ask: SessionAsk, deadlineMs?: number): Promise<T> {
    let asked = this.going.get(about);
    if (!asked) {
      asked = await this.put(ask);
      this.going.set(about, asked);
    }
    try {
      return await this.answer<T>(asked, deadlineMs);
    } finally {
      if (asked.answer && this.going.get(about) === asked) this.going.delete(about);
    }
  }

  private async put(ask: SessionAsk): Promise<Asked> {
    // Known to a replay; after a reset, another one.
    const asked: Asked = { id: uuid4() };
    asked.answer = this.early.get(asked.id);
    if (!this.early.delete(asked.id)) this.asked.set(asked.id, asked);
    await this.send(ask, asked.id);
    return asked;
  }

  /** A message that was begun is sent, whatever becomes of the flow. */
  private async send(ask: SessionAsk, id = uuid4()): Promise<void> {
    const { workflowId } = workflowInfo();
    this.sessionId = await this.flow.unstoppable(() => local.askSession(this.auth, { flow: workflowId, id, ask }));
  }

  private async answer<T>(asked: Asked, deadlineMs?: number): Promise<T> {
    while (!asked.answer) {
      const heard = () => asked.answer !== undefined || this.mustLogIn();
      const inTime = deadlineMs === undefined ? condition(heard) : condition(heard, deadlineMs);
      if ((await inTime) === false) throw new SessionDeadline();
      if (!asked.answer && this.mustLogIn()) await this.logIn(asked);
    }
    return this.take(asked);
  }

  /** Nobody has to log in for that: what waits for tokens is given up. */
  private async withdraw(order: Asked): Promise<ChallengeFacts> {
    await this.send({ what: 'withdraw', order: order.id });
    await condition(() => order.answer !== undefined);
    return this.take(order);
  }

  /** An answer that is there; who waited for it waits for no login. */
  private take<T>(asked: Asked): T {
    const { loggingIn: login } = this;
    if (login?.waiting.delete(asked) && login.waiting.size === 0) login.scope.cancel();
    const answer = asked.answer!;
    if ('failure' in answer) throw new SessionFailure(answer.failure);
    return answer.value as T;
  }

  private mustLogIn(): boolean {
    return this.told?.reason === 'loggedOut' && this.loginAgain !== undefined;
  }

  /**
   * Has the user log in, until the answer comes nevertheless: a webhook tells the end of a challenge without any tokens.
   * Whatever limit ends the wait does not end the login: who waits on for a challenge begins no second one.
   */
  private async logIn(asked: Asked): Promise<void> {
    const login = (this.loggingIn ??= this.beginLogin());
    login.waiting.add(asked);
    await condition(() => login.end !== undefined || asked.answer !== undefined);
    if (!asked.answer && login.end && 'error' in login.end) throw login.end.error;
  }

  private beginLogin(): LoginAgain {
    const login: LoginAgain = { scope: new CancellationScope(), waiting: new Set() };
    const end = (how: LoginAgain['end']) => {
      login.end = how;
      this.loggingIn = undefined;
    };
    void this.flow
      .unstoppable(async () => {
        login.scope = new CancellationScope();
        await this.login(await login.scope.run(this.loginAgain!));
      })
      .then(
        () => end({}),
        (error: unknown) => end({ error }),
      );
    return login;
  }

  private hear(telling: SessionTelling): void {
    if ('block' in telling) {
      this.told = telling.block ?? undefined;
      this.flow.showBlock(this.told);
    } else {
      const asked = this.asked.get(telling.id);
      if (asked) asked.answer = telling;
      // Asked by a run before a reset, it stays nobody's.
      else this.early.set(telling.id, telling);
      this.asked.delete(telling.id);
    }
  }
}
