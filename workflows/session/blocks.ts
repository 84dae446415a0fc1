import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import type { UserFacts } from '../../activities';
import type { UserBlock } from '../../src/domain/userSession';
import { apiActivities } from '../kit/activities';
import { apiFailure } from '../kit/failure';
import type { Lifetime } from './lifetime';
import type { SessionState } from './state';
import type { Voice } from './voice';

/** A lock whose end the API does not tell lasts so long (api-facts 5). */
const LOCK_MS = 30 * 60_000;
/** After the end of a lock by the API's clock, which is told to the second. */
const AFTER_LOCK_MS = 1_000;

/** Where the user shows no lock (any more), the call is sent again after this. */
const NO_LOCK_MS = 5_000;

type Lock = 'pinLocked' | 'answersLocked';

/** What keeps the user from approving anything, known once for all flows. */
export class Blocks {
  private watch: CancellationScope | undefined;

  constructor(
    private readonly state: SessionState,
    private readonly lifetime: Lifetime,
    private readonly voice: Voice,
    private readonly entity: string,
  ) {}

  /** Waits on for what the run before was waiting for. */
  resume(): void {
    const { block } = this.state;
    if (block?.reason === 'disabled') this.watchDisabled();
    else if (block?.until !== undefined) this.liftAt(block);
  }

  is(reason: UserBlock['reason']): boolean {
    return this.state.block?.reason === reason;
  }

  /** The API refuses the user altogether. */
  disabled(): void {
    if (this.is('disabled')) return;
    this.set({ reason: 'disabled' });
    this.watchDisabled();
  }

  /** The tokens of the login are no good and can't be renewed. */
  loggedOut(): void {
    if (!this.is('loggedOut')) this.set({ reason: 'loggedOut' });
  }

  lift(reason: UserBlock['reason']): void {
    if (this.is(reason)) this.set(undefined);
  }

  /**
   * The API refused a call for a lock: reads for how long, and waits until it is over, or until `given` up.
   * The duration is the API's, against its own clock.
   */
  async sitOut(lock: Lock, given: () => boolean): Promise<void> {
    await this.recheck(lock);
    const { block } = this.state;
    const isOver = () => given() || this.lifetime.draining;
    if (block) await condition(() => this.state.block !== block || isOver());
    else await condition(isOver, NO_LOCK_MS);
  }

  /** Reads the user and tells what is new. @param refused a lock that the API just told of */
  async recheck(refused?: Lock): Promise<void> {
    const user = await this.readUser();
    if (user?.status === 'DISABLED') return this.disabled();
    if (user) this.lift('disabled');
    // Where the user can't be read, the refusal is all that is known.
    const locks: readonly [Lock, string | undefined, number | undefined][] = [
      ['pinLocked', user?.pinStatus, user?.pinLockedForMs],
      ['answersLocked', user?.securityQuestionStatus, user?.answersLockedForMs],
    ];
    const locked = locks.filter(([lock, status]) => (user ? status === 'LOCKED' : lock === refused));
    // Of two, the one that the API just told of.
    const [lock, , leftMs = LOCK_MS] = locked.find(([each]) => each === refused) ?? locked[0] ?? [];
    if (lock) return this.lock(lock, leftMs);
    this.lift('pinLocked');
    this.lift('answersLocked');
  }

  private lock(reason: Lock, leftMs: number): void {
    const block = { reason, until: Date.now() + leftMs + AFTER_LOCK_MS };
    this.set(block);
    this.liftAt(block);
  }

  private async readUser(): Promise<UserFacts | undefined> {
    try {
      return await this.lifetime.hold(() => apiActivities(this.entity).readUser(this.state.auth.userId));
    } catch (error) {
      if (!apiFailure(error)) throw error;
      return undefined;
    }
  }

  private set(block: UserBlock | undefined): void {
    this.watch?.cancel();
    this.watch = undefined;
    this.voice.block(block);
  }

  private liftAt(block: UserBlock): void {
    this.watching(async () => {
      await sleep(Math.max(block.until! - Date.now(), 1));
      if (this.state.block === block) this.set(undefined);
    });
  }

  private watchDisabled(): void {
    this.watching(async () => {
      await apiActivities(this.entity).followUserEnabled(this.state.auth.userId);
      this.lift('disabled');
    });
  }

  /** Waits for the end of the block, until there is another one or none. */
  private watching(wait: () => Promise<void>): void {
    this.lifetime.spawn(() => {
      this.watch = new CancellationScope();
      return this.watch.run(wait);
    });
  }
}
