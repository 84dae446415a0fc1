import type { SessionProgress } from '../../src/domain/userSession';
import { openRecords, type SessionState } from './state';

/** The response to the query `progress`. */
export function progressOf(state: SessionState): SessionProgress {
  const { auth, restriction, records, reads } = state;
  const waiting = Object.values(records).flatMap((record) => record.waiting);
  return {
    auth: auth.method,
    open: openRecords(state).map(({ state: { id }, knownId, type, holder }) => ({
      challengeId: id,
      ...(knownId !== undefined && knownId !== id && { renewalOf: knownId }),
      type,
      flow: holder,
    })),
    ...(restriction && { restriction }),
    pendingRequests: waiting.length + reads.length,
  };
}
