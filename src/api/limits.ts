import { Breaker, type IncidentListener } from './breaker';
import { contract, findEndpoint, type OperationId } from './contract';
import { type LimitClass, LIMITS } from './contract/endpoint';
import { type Bucket, LocalBucket, OPEN_GATE } from './permits';

/** Endpoints that the client calls on its own initiative, for a request or a probe that already has a permit. */
const CREDENTIAL_ENDPOINTS: ReadonlySet<OperationId> = new Set(['getEntityPublicKey', 'createUserToken']);

/** Whether the client itself takes a permit for each request to this endpoint, no matter what needs the response. */
export function clientTakesPermits(endpoint: OperationId): boolean {
  return CREDENTIAL_ENDPOINTS.has(endpoint);
}

/** Limit classes whose endpoints share one limit. */
const SHARED_LIMITS: ReadonlySet<LimitClass> = new Set<LimitClass>(['attestation']);

/**
 * The buckets of one entity, one per endpoint except where endpoints share a limit, and the breaker that withholds
 * their permits.
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
    const name = SHARED_LIMITS.has(limit) ? limit : endpoint;
    let bucket = this.buckets.get(name);
    if (!bucket) {
      // Endpoints without credentials keep working while credentials are broken.
      const gate = CREDENTIAL_ENDPOINTS.has(endpoint) || auth === 'none' ? OPEN_GATE : this.breaker;
      bucket = new LocalBucket(name, LIMITS[limit], this.share, gate);
      this.buckets.set(name, bucket);
    }
    return bucket;
  }
}
