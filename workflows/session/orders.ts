import { CancellationScope, condition } from '@temporalio/workflow';
import { API_ACTIVITIES } from '../../src/domain/activityTable';
import type { ApiFailure } from '../../src/domain/apiFailure';
import { CODES } from '../../src/domain/codes';
import { KEY_TRUST_MS } from '../../src/domain/retryRules';
import {
  CHALLENGE_CALLS,
  type ChallengeFacts,
  type ChallengeOrder,
  LOCK_CODES,
  type UserAuth,
} from '../../src/domain/userSession';
import { apiActivities, localPolls } from '../kit/activities';
import { apiFailure, SessionFailure } from '../kit/failure';
import { lookUp } from '../kit/lookUp';
import type { Blocks } from './blocks';
import type { Challenges } from './challenges';
import { type Credentials, GivenUp } from './credentials';
import { type Lifetime, Paused } from './lifetime';
import {
  type BeforeOrder,
  behindOthers,
  effectName,
  keep,
  OTHER_CHALLENGE,
  type RequestFor,
  requestsFor,
  type SessionState,
} from './state';
import type { Voice } from './voice';

type Order = RequestFor<'order'>;

/** So long what became of an order that was sent can be looked for by what there was before it. */
const LOOKED_FOR_MS = 14 * 24 * 60 * 60_000;

/**
 * Opens challenges, one at a time: the next order waits until the challenge before is over, or its flow wants it no more
 * or is gone. So a challenge that is there afterwards and was not before is what the order made (DESIGN rule 2).
 */
export class Orders {
  /** The order that is being carried out. */
  private current: Order | undefined;
  /** Whether an order is being sent, or what is open is being listed. */
  private touching = false;

  constructor(
    private readonly state: SessionState,
    private readonly lifetime: Lifetime,
    private readonly credentials: Credentials,
    private readonly blocks: Blocks,
    private readonly challenges: Challenges,
    private readonly voice: Voice,
    private readonly entity: string,
  ) {}

  /** Whether an event that nobody knows may belong to an order. */
  get pending(): boolean {
    return requestsFor(this.state, 'order').length > 0;
  }

  /** So long the session has something worth keeping, although nobody waits: a person may have an order looked for again. */
  get keptForMs(): number {
    const sent = Object.values(this.state.before).map(({ since = 0 }) => since + LOOKED_FOR_MS - Date.now());
    return Math.max(0, ...sent);
  }

  /** Goes on taking back what the run before has not. */
  resume(): void {
    for (const order of requestsFor(this.state, 'order')) {
      if (order.takenBack) this.lifetime.spawn(() => this.settle(order));
    }
  }

  /** Serves orders as long as the run goes on. */
  async serve(): Promise<void> {
    for (;;) {
      await condition(() => !this.lifetime.draining && this.next() !== undefined);
      // What came in the same turn may have changed that.
      const order = this.next();
      if (order) await this.carryOut(order);
    }
  }

  /** What was heard while orders were under way is nobody's when the last of them is gone, however it went. */
  async watchEarly(): Promise<void> {
    for (;;) {
      await condition(() => this.state.early.length > 0 && !this.pending);
      this.challenges.settleEarly(false);
    }
  }

  /** An order came. */
  queue(): void {
    for (const { flow } of behindOthers(this.state)) {
      if (!this.state.told.includes(flow)) this.voice.tellBlock(flow, OTHER_CHALLENGE);
    }
  }

  /** While somebody waits, one poll describes the flow that holds the place. */
  async watchHolder(): Promise<void> {
    const isAwaited = () => behindOthers(this.state).length > 0;
    for (;;) {
      await condition(isAwaited);
      const [open] = this.state.open;
      // Over again in the same turn.
      if (!open) continue;
      const watch = new CancellationScope();
      this.lifetime.spawn(() =>
        watch.run(async () => {
          await localPolls(this.entity).followFlowEnd(open.holder);
          this.voice.gone(open.holder);
        }),
      );
      await condition(() => this.state.open[0] !== open || !isAwaited());
      watch.cancel();
    }
  }

  /** Takes an order back: answered at once where nothing was sent of it, and by what becomes of it where something was. */
  async withdraw(id: string): Promise<void> {
    const order = requestsFor(this.state, 'order').find((request) => request.id === id);
    if (!order) return;
    order.takenBack = true;
    if (order !== this.current) await this.settle(order);
  }

  /**
   * What an order of this effect has opened, as far as it can be told; waits for one that is under way.
   * @param flow that ordered it, whose challenge it is from now on
   */
  async find(order: ChallengeOrder, flow: string): Promise<ChallengeFacts | undefined> {
    const effect = effectName(order);
    await condition(() => !this.current || effectName(this.current.ask.order) !== effect);
    const found = this.openedBy(effect) ?? (await this.look(order));
    if (found && !this.adopt(effect, found, flow)) {
      this.challenges.follow(found.id);
      this.queue();
    }
    return found;
  }

  /** What a flow that was reset orders again has its challenge; everything else waits for its turn. */
  private next(): Order | undefined {
    const orders = requestsFor(this.state, 'order').filter(({ takenBack }) => !takenBack);
    const again = orders.find(({ ask }) => this.openedBy(effectName(ask.order)));
    return again ?? (this.state.open.length === 0 ? orders[0] : undefined);
  }

  private async carryOut(order: Order): Promise<void> {
    this.current = order;
    if (this.state.told.includes(order.flow)) this.voice.tellBlock(order.flow, this.state.block);
    await this.settle(order);
    this.current = undefined;
    this.challenges.settleEarly(this.pending);
  }

  /** Answers an order by the challenge that it opened; one that is paused stays in the list, for the next run. */
  private async settle(request: Order): Promise<void> {
    const { order } = request.ask;
    try {
      const challenge = await this.lifetime.hold(() => this.outcome(request));
      const isOver = this.adopt(effectName(order), challenge, request.flow);
      this.voice.answer(request, { value: challenge });
      if (!isOver) this.challenges.follow(challenge.id);
      this.queue();
    } catch (error) {
      if (error instanceof Paused) return;
      const failure = apiFailure(error);
      if (!failure) throw error;
      this.voice.answer(request, { failure });
    }
  }

  /** An effect has its challenge. @returns whether that is over */
  private adopt(effect: string, challenge: ChallengeFacts, flow: string): boolean {
    const { id, type } = challenge;
    delete this.state.before[effect];
    if (!this.openedBy(effect)) keep(this.state, 'opened', { effect, challenge });
    const isOver = this.state.ended.some((ended) => ended.id === id);
    if (!isOver && !this.state.open.some((open) => open.id === id)) this.state.open.push({ id, type, holder: flow });
    return isOver;
  }

  private async outcome(request: Order): Promise<ChallengeFacts> {
    const { order } = request.ask;
    const name = effectName(order);
    const known = this.openedBy(name);
    if (known) return known;
    try {
      if (!request.takenBack) return await this.open(request);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
    }
    const isSent = this.state.before[name]?.tainted === true;
    const left = isSent && this.isThere(request) && (await this.left(order, true));
    if (left) return left;
    // What a flow that is gone has sent, it may look for when it is reset.
    if (!isSent || this.isThere(request)) delete this.state.before[name];
    throw new SessionFailure(WITHDRAWN);
  }

  private async open(request: Order): Promise<ChallengeFacts> {
    const { order } = request.ask;
    const name = effectName(order);
    const given = () => request.takenBack === true || !this.isThere(request);
    const api = apiActivities(this.entity);
    for (;;) {
      // Kept from an attempt whose outcome is not known: what it made is not among them.
      const before = (this.state.before[name] ??= {
        ids: (await this.credentials.call((auth) => api.listOpenChallenges(auth), given)).map(({ id }) => id),
        at: Date.now(),
        call: order.call,
      });
      if (before.tainted && !mayRepeat(before)) {
        const left = await this.left(order, false);
        if (left) return left;
        throw new SessionFailure({ ...UNKNOWN, endpoint: order.call });
      }
      try {
        const send = (auth: UserAuth) => this.alone(() => this.send(request, auth, before, given));
        return await this.credentials.call(send, given);
      } catch (error) {
        const failure = apiFailure(error);
        if (!failure) throw error;
        // A refusal proves nothing of the attempts before it (DESIGN rule 2).
        if (before.tainted || failure.code === CODES.idempotencyKeyUsed) {
          const left = await this.left(order, false);
          if (left) return left;
        } else {
          delete this.state.before[name];
        }
        const lock = LOCK_CODES[failure.code];
        if (!lock) throw before.tainted ? new SessionFailure({ ...failure, tainted: true }) : error;
        await this.blocks.sitOut(lock, given);
        if (given()) throw new GivenUp();
        if (this.lifetime.draining) throw new Paused();
      }
    }
  }

  private async send(
    { flow, ask: { order } }: Order,
    auth: UserAuth,
    before: BeforeOrder,
    given: () => boolean,
  ): Promise<ChallengeFacts> {
    // A flow that had to wait is told of its turn, which it may not have lived to see: nobody approves for it then.
    await this.voice.heard(flow);
    if (given()) throw new GivenUp();
    const { call, effect, params, body } = order;
    try {
      const id = await apiActivities(this.entity)[call](effect, auth, { params, body });
      const challenge = { id, type: CHALLENGE_CALLS[call], status: 'PENDING', correlationIds: [] };
      keep(this.state, 'opened', { effect: effectName(order), challenge });
      return challenge;
    } catch (error) {
      if (apiFailure(error)?.tainted) Object.assign(before, { tainted: true, since: Date.now() });
      throw error;
    }
  }

  /** What is listed while another order is being sent may be what that one makes: one of them at a time. */
  private async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.touching) await condition(() => !this.touching);
    this.touching = true;
    try {
      return await work();
    } finally {
      this.touching = false;
    }
  }

  /**
   * What earlier attempts have left: looks several times.
   * @throws SessionFailure where that can't be told: whether something was made is not known
   */
  private async left(order: ChallengeOrder, patient: boolean): Promise<ChallengeFacts | undefined> {
    try {
      return await lookUp(() => this.look(order), patient);
    } catch (error) {
      const failure = apiFailure(error);
      throw failure ? new SessionFailure({ ...failure, kind: 'resolve', tainted: true }) : error;
    }
  }

  /**
   * What is open and was not there before the order was sent, is of its type, and of no other order. What was only heard of
   * is not it: a late webhook may tell of a challenge that was over before.
   * @throws SessionFailure where there are several: somebody else opens challenges of this user
   */
  private async look(order: ChallengeOrder): Promise<ChallengeFacts | undefined> {
    const before = this.state.before[effectName(order)];
    if (!before) return undefined;
    const api = apiActivities(this.entity);
    const listed = await this.credentials.call((auth) => this.alone(() => api.listOpenChallenges(auth)));
    const others = new Set([...before.ids, ...this.state.opened.map(({ challenge }) => challenge.id)]);
    // What was not there when a later order of the type was about to be sent, is that one's.
    const later = Object.values(this.state.before).filter(
      ({ tainted, call, at }) => tainted && call === order.call && at > (before.since ?? before.at),
    );
    const [found, ...more] = listed.filter(
      ({ id, type }) =>
        type === CHALLENGE_CALLS[order.call] && !others.has(id) && later.every(({ ids }) => ids.includes(id)),
    );
    if (more.length > 0) throw new SessionFailure({ ...ALIKE, endpoint: order.call });
    return found;
  }

  private openedBy(effect: string): ChallengeFacts | undefined {
    return this.state.opened.find((each) => each.effect === effect)?.challenge;
  }

  /** Whether its flow still waits for it: it is not gone. */
  private isThere(request: Order): boolean {
    return this.state.requests.includes(request);
  }
}

/** Whether an order with an unknown outcome may be sent again as it is: the API tells the repetition by its key. */
function mayRepeat({ call, since = 0 }: BeforeOrder): boolean {
  return API_ACTIVITIES[call].mode === 'keyed' && Date.now() - since <= KEY_TRUST_MS;
}

/** What an order is answered that was taken back before anything came of it. */
const WITHDRAWN: ApiFailure = {
  code: 0,
  name: 'Withdrawn',
  status: 0,
  endpoint: '',
  kind: 'refused',
  remedy: 'order it again',
  tainted: false,
};

const UNKNOWN: Omit<ApiFailure, 'endpoint'> = {
  code: 0,
  name: 'OutcomeUnknown',
  status: 0,
  kind: 'resolve',
  remedy: "look at the user's challenges for what the earlier request opened",
  tainted: true,
};

const ALIKE: Omit<ApiFailure, 'endpoint'> = {
  code: 0,
  name: 'ChallengesAlike',
  status: 0,
  kind: 'resolve',
  remedy: 'look which of the open challenges is ours; something else opens challenges for the user too',
  tainted: true,
};
