import { contract, findEndpoint, type OperationId } from './contract';
import { LIMITS, type LimitClass } from './contract/endpoint';
import { Breaker, type IncidentListener } from './breaker';
import { type Bucket, LocalBucket, OPEN_GATE } from './permits';

/** What the client fetches by itself on behalf of a request that already has its permit: also on behalf of a probe. */
const CREDENTIALS: ReadonlySet<OperationId> = new Set(['getEntityPublicKey', 'createUserToken']);

/** Whether the client takes this endpoint's permits itself, one for each request, whoever needs the answer. */
export function takesItsOwnPermits(endpoint: OperationId): boolean {
  return CREDENTIALS.has(endpoint);
}

/** Classes whose limit their endpoints have together. */
const SHARED: ReadonlySet<LimitClass> = new Set<LimitClass>(['attestation']);

/**
 * The buckets of one entity, one for each endpoint but those that share one, and the breaker that withholds all of them.
 */
export class EntityLimits {
  readonly breaker: Breaker;
  private readonly buckets = new Map<string, Bucket>();

  /** @param share part of every limit that this process may use, 0 to 1 (`WALLETFLOW_API_SHARE`) */
  constructor(
    readonly entity: string,
    private readonly share: number,
    listener: IncidentListener,
  ) {
    this.breaker = new Breaker(entity, listener, (id) => findEndpoint(id as OperationId).auth);
  }

  bucket(endpoint: OperationId): Bucket {
    const { auth, limit } = contract[endpoint];
    const name = SHARED.has(limit) ? limit : endpoint;
    let bucket = this.buckets.get(name);
    if (!bucket) {
      // What takes no credentials goes on without them.
      const gate = CREDENTIALS.has(endpoint) || auth === 'none' ? OPEN_GATE : this.breaker;
      bucket = new LocalBucket(name, LIMITS[limit], this.share, gate);
      this.buckets.set(name, bucket);
    }
    return bucket;
  }
}
