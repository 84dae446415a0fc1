import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { LRUCache } from 'lru-cache';
import type { ApiActivities } from '../../activities';
import type { EntityLimits } from '../api/limits';
import { API_ACTIVITIES, type ApiActivityName } from '../domain/activityTable';
import { isNft } from '../domain/tokenStandards';

/** How the answers of one activity are kept. Its argument names the resource by `id`. */
interface Kept<A extends ApiActivityName> {
  /** How many; those used least recently go first. */
  most: number;
  ttlMs: number;
  isKept(answer: Awaited<ReturnType<ApiActivities[A]>>): boolean;
}

/**
 * What the worker does not ask twice. A token never changes; it is read again after an hour in case the API has shown it
 * wrongly. Of a wallet only the state changes that a flow acts on. A wallet that is live is kept for a minute: if it is
 * frozen meanwhile, the API refuses the transaction or the signature with the same code (155501). A frozen wallet is not
 * kept, so a flow never ends because of a state that is over.
 */
const KEPT: { readonly [A in 'readToken' | 'readWallet']: Kept<A> } = {
  readToken: {
    most: 1_000,
    ttlMs: 60 * 60_000,
    // The amount of a token without decimals cannot be checked. The API may show them later.
    isKept: ({ decimals, standard }) => decimals !== undefined || isNft(standard),
  },
  readWallet: { most: 10_000, ttlMs: 60_000, isKept: ({ state }) => state === 'LIVE' },
};

type KeptActivity = keyof typeof KEPT;

function isKeptActivity(name: string): name is KeptActivity {
  return Object.hasOwn(KEPT, name);
}

/** Answers of the API to one entity, for as long as they cannot be out of date in a way that matters. Never errors. */
export class KnownAnswers {
  private readonly caches: Readonly<Record<KeptActivity, LRUCache<string, object>>>;

  /** @param now monotonic milliseconds; never 0, which lru-cache would take for "not set" */
  constructor(now: () => number = () => performance.now()) {
    const cacheOf = ({ most: max, ttlMs: ttl }: { most: number; ttlMs: number }) =>
      new LRUCache<string, object>({ max, ttl, ttlResolution: 0, perf: { now } });
    this.caches = { readToken: cacheOf(KEPT.readToken), readWallet: cacheOf(KEPT.readWallet) };
  }

  find(activity: KeptActivity, id: string): object | undefined {
    return this.caches[activity].get(id);
  }

  keep(activity: KeptActivity, id: string, answer: object): void {
    const kept = KEPT[activity] as { isKept(answer: object): boolean };
    if (kept.isKept(answer)) this.caches[activity].set(id, answer);
  }
}

/**
 * Returns a known answer without a request. It comes before the interceptor that makes attempts: no answer of this
 * process may tell the breaker that the API accepts requests. The task's permit is free at once.
 */
export class KnownAnswersInterceptor implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly answers: KnownAnswers,
    private readonly limits: EntityLimits,
  ) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const { activityType } = this.context.info;
    if (!isKeptActivity(activityType)) return next(input);
    const [{ id }] = input.args as [{ id: string }];
    const known = this.answers.find(activityType, id);
    if (known) {
      this.limits.bucket(API_ACTIVITIES[activityType].endpoint).returnUnsent();
      return known;
    }
    const answer = await next(input);
    this.answers.keep(activityType, id, answer as object);
    return answer;
  }
}
