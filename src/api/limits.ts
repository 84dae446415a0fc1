import { contract, findEndpoint, type OperationId } from './contract';
import { LIMITS } from './contract/endpoint';
import { Breaker, type IncidentListener } from './breaker';
import { type Bucket, LocalBucket, OPEN_GATE } from './permits';

/** What the client fetches by itself on behalf of a request that already has its permit: also on behalf of a probe. */
const CREDENTIALS: ReadonlySet<OperationId> = new Set(['getEntityPublicKey']);

/** The buckets of one entity, one for each endpoint, and the breaker that withholds all of them. */
export class EntityLimits {
  readonly breaker: Breaker;
  private readonly buckets = new Map<OperationId, Bucket>();

  /** @param share part of every limit that this process may use, 0 to 1 (`WALLETFLOW_API_SHARE`) */
  constructor(
    readonly entity: string,
    private readonly share: number,
    listener: IncidentListener,
  ) {
    this.breaker = new Breaker(entity, listener, (id) => findEndpoint(id as OperationId).auth === 'entitySecret');
  }

  bucket(endpoint: OperationId): Bucket {
    let bucket = this.buckets.get(endpoint);
    if (!bucket) {
      const gate = CREDENTIALS.has(endpoint) ? OPEN_GATE : this.breaker;
      bucket = new LocalBucket(endpoint, LIMITS[contract[endpoint].limit], this.share, gate);
      this.buckets.set(endpoint, bucket);
    }
    return bucket;
  }
}
