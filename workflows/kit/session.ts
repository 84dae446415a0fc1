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

type Answer = Extract<SessionTelling, { id: string }>;

/** A login that is under way, for the requests that wait for it. */
interface LoginAgain {
  scope: CancellationScope;
  waiting: Set<string>;
  end?: { error?: unknown };
}

/**
 * A flow's line to its user's session, which makes all calls with the user's token. Asks by signal, with an id; the
 * answer is a signal too. Waiting for it adds nothing to the history. One a flow.
 */
export class SessionLine {
  /** Where a flow that can have the user log in again does so, once for all that wait; the others wait until one does. */
  loginAgain: (() => Promise<LoginTokens>) | undefined;
  private readonly answers = new Map<string, Answer>();
  /** Ids of asks that go on although nobody waits for the answer at the moment, by what they ask. */
  private readonly going = new Map<string, string>();
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
    const id = await this.send({ what: 'order', order });
    try {
      return await this.answer(id);
    } catch (error) {
      if (error instanceof SessionFailure) throw error;
      return this.flow
        .unstoppable(() => this.withdraw(id))
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
    return this.answer(await this.send(ask));
  }

  /** Joins the same question where it is still open. */
  private async goOn<T>(about: string, ask: SessionAsk, deadlineMs?: number): Promise<T> {
    let id = this.going.get(about);
    if (id === undefined) {
      id = await this.send(ask);
      this.going.set(about, id);
    }
    const answer = await this.answer<T>(id, deadlineMs);
    this.going.delete(about);
    return answer;
  }

  /** A message that was begun is sent, whatever becomes of the flow. */
  private async send(ask: SessionAsk): Promise<string> {
    // Known to a replay; after a reset, another one.
    const id = uuid4();
    const { workflowId } = workflowInfo();
    this.sessionId = await this.flow.unstoppable(() => local.askSession(this.auth, { flow: workflowId, id, ask }));
    return id;
  }

  private async answer<T>(id: string, deadlineMs?: number): Promise<T> {
    while (!this.answers.has(id)) {
      const heard = () => this.answers.has(id) || this.mustLogIn();
      const inTime = deadlineMs === undefined ? condition(heard) : condition(heard, deadlineMs);
      if ((await inTime) === false) throw new SessionDeadline();
      if (!this.answers.has(id)) await this.logIn(id);
    }
    return this.take(id);
  }

  /** Nobody has to log in for that: what waits for tokens is given up. */
  private async withdraw(order: string): Promise<ChallengeFacts> {
    await this.send({ what: 'withdraw', order });
    await condition(() => this.answers.has(order));
    return this.take(order);
  }

  /** An answer that is there; who waited for it waits for no login. */
  private take<T>(id: string): T {
    const { loggingIn: login } = this;
    if (login?.waiting.delete(id) && login.waiting.size === 0) login.scope.cancel();
    const answer = this.answers.get(id)!;
    this.answers.delete(id);
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
  private async logIn(id: string): Promise<void> {
    const login = (this.loggingIn ??= this.beginLogin());
    login.waiting.add(id);
    await condition(() => login.end !== undefined || this.answers.has(id));
    if (!this.answers.has(id) && login.end && 'error' in login.end) throw login.end.error;
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
      this.answers.set(telling.id, telling);
    }
  }
}
