import { idempotencyKey, refId } from '../src/crypto/effectKeys';
import type { EffectRef } from '../src/domain/effect';
import type { ActivityDeps } from './deps';

/**
 * The fields of a request that identify an effect: the same in every attempt, on every worker, and after a replay or a
 * reset.
 */
export function effectFields(
  { entity, keyRing }: ActivityDeps,
  effect: EffectRef,
): { idempotencyKey: string; refId: string } {
  return {
    idempotencyKey: idempotencyKey(entity, effect, keyRing),
    refId: refId(entity, effect, keyRing),
  };
}
