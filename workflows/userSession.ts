import { continueAsNew, setHandler } from '@temporalio/workflow';
import type { WalletFacts } from '../activities';
import type { ApiFailure } from '../src/domain/apiFailure';
import type { ChallengeNews } from '../src/domain/messages';
import type { SessionRequest, SessionStart } from '../src/domain/userSession';
import { apiActivities } from './kit/activities';
import { apiFailure } from './kit/failure';
import { answerApprovals } from './kit/approval';
import { askSignal, challengeNewsSignal, sessionProgressQuery } from './kit/messages';
import { Approvals } from './session/approvals';
import { Blocks } from './session/blocks';
import { Challenges } from './session/challenges';
import { Credentials } from './session/credentials';
import { Lifetime } from './session/lifetime';
import { Orders } from './session/orders';
import { firstState, isTooMuch, keep, progressOf, type SessionState } from './session/state';
import { Voice } from './session/voice';

/** Ends so long after the last flow wanted something of it; the next request starts it again. */
const IDLE_MS = 5 * 60_000;
/** Of the API's lists. */
const PAGE = 50;

/** What an order is answered for which the session has no room; a person decides when it is ordered again. */
const TOO_MUCH: ApiFailure = {
  code: 0,
  name: 'TooMuchWaiting',
  status: 0,
  endpoint: '',
  kind: 'attention',
  remedy: "let the user approve what waits, or cancel some of the user's flows; then retry",
  tainted: false,
};

/**
 * One end user's tokens, challenges and locks: makes all calls with the user's token, for all flows of the user (DESIGN
 * section 5). Flows ask by signal and are answered by signal; webhooks tell it the ends of challenges.
 */
export async function userSession(start: SessionStart<SessionState>): Promise<void> {
  const session = new Session(start);
  if ((await session.run()) === 'idle') return;
  await continueAsNew<typeof userSession>({ ...start, carried: session.state });
}

class Session {
  readonly state: SessionState;
  private readonly entity: string;
  private readonly lifetime = new Lifetime();
  private readonly voice: Voice;
  private readonly blocks: Blocks;
  private readonly credentials: Credentials;
  private readonly challenges: Challenges;
  private readonly orders: Orders;
  /** Signals can come before the first step. */
  private running = false;

  /** Handlers exist before the first await. */
  constructor(start: SessionStart<SessionState>) {
    // A run of an earlier version may not have carried all of it.
    const state = (this.state = { ...firstState(start), ...start.carried });
    const entity = (this.entity = start.entity);
    const { lifetime } = this;
    const voice = (this.voice = new Voice(state, lifetime));
    const blocks = (this.blocks = new Blocks(state, lifetime, voice, entity));
    const credentials = (this.credentials = new Credentials(start, state, lifetime, blocks));
    const challenges = (this.challenges = new Challenges(state, lifetime, credentials, voice, entity));
    this.orders = new Orders(state, lifetime, credentials, blocks, challenges, voice, entity);
    answerApprovals(new Approvals(state, lifetime, credentials, blocks, entity));
    setHandler(sessionProgressQuery, () => progressOf(state));
    setHandler(askSignal, (request) => this.take(request));
    setHandler(challengeNewsSignal, (news: ChallengeNews) => challenges.hear(news, this.orders.pending));
  }

  async run(): Promise<'idle' | 'full'> {
    const { lifetime, state } = this;
    const isWaiting = () => state.requests.length > 0 || state.open.length > 0;
    this.blocks.resume();
    this.challenges.resume();
    this.running = true;
    for (const request of state.requests.slice()) this.begin(request);
    this.orders.resume();
    lifetime.spawn(() => this.orders.serve());
    lifetime.spawn(() => this.orders.watchHolder());
    lifetime.spawn(() => this.orders.watchEarly());
    lifetime.spawn(() => this.credentials.keepFresh(isWaiting));
    return lifetime.end(
      () => !isWaiting() && !lifetime.busy,
      () => Math.max(IDLE_MS, this.credentials.keptForMs, this.orders.keptForMs),
    );
  }

  private take(request: SessionRequest): void {
    const { state } = this;
    if (state.seen.includes(request.id)) return;
    keep(state, 'seen', request.id);
    const tooMuch = request.ask.what === 'order' && isTooMuch(state, request);
    state.requests.push(request);
    if (tooMuch) return this.voice.answer(request, { failure: TOO_MUCH });
    if (state.block) this.voice.tellBlock(request.flow, state.block);
    if (this.running && !this.lifetime.draining) this.begin(request);
  }

  private begin(request: SessionRequest): void {
    const { ask } = request;
    const { entity, orders, challenges, credentials, blocks } = this;
    const api = apiActivities(entity);
    switch (ask.what) {
      case 'order':
        return orders.queue();
      case 'ended':
        return challenges.follow(ask.challengeId);
      case 'withdraw':
        return this.act(request, () => orders.withdraw(ask.order));
      case 'release':
        return this.act(request, async () => challenges.release(ask.challengeId));
      case 'login':
        return this.act(request, async () => credentials.login(ask.tokens));
      case 'look':
        return this.act(request, () => challenges.look(ask.challengeId));
      case 'recheck':
        return this.act(request, () => blocks.recheck());
      case 'renew':
        return this.act(request, () => credentials.renew());
      case 'find':
        return this.answer(request, () => this.lifetime.hold(() => orders.find(ask.order, request.flow)));
      case 'readUser':
        return this.answer(request, () => this.lifetime.hold(() => api.readUser(this.state.auth.userId)));
      case 'listWallets':
        return this.answer(request, () => this.lifetime.hold(() => this.listWallets()));
      case 'followTransaction':
        return this.answer(request, () =>
          credentials.call((auth) => api.followUserTransaction(auth, ask.id, { stuck: ask.stuck })),
        );
    }
  }

  /** Does what needs no answer. */
  private act(request: SessionRequest, work: () => Promise<void>): void {
    this.voice.close(request.id);
    this.lifetime.spawn(() => this.lifetime.hold(work));
  }

  /** One that is paused stays in the list, for the next run. */
  private answer(request: SessionRequest, find: () => Promise<unknown>): void {
    this.lifetime.spawn(async () => {
      try {
        this.voice.answer(request, { value: await find() });
      } catch (error) {
        const failure = apiFailure(error);
        if (!failure) throw error;
        this.voice.answer(request, { failure });
      }
    });
  }

  private async listWallets(): Promise<WalletFacts[]> {
    const api = apiActivities(this.entity);
    const all: WalletFacts[] = [];
    for (;;) {
      const page = await this.credentials.call((auth) => api.listUserWallets(auth, all.at(-1)?.id));
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }
}
