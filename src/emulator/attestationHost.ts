import { AREAS, type OperationId } from '../api/contract';
import { normalNonce } from '../domain/cctp';
import { readApiKey } from './auth';
import { Refusal } from './refusal';
import type { World } from './world';
import type { Worlds } from './worlds';

/** What the attestation host of the API does otherwise than its other host: no credentials, and errors of its own. */

export function isAttestation(operation: OperationId): boolean {
  return Object.hasOwn(AREAS.attestation, operation);
}

/** The part of a request that tells whose it is. */
interface Wanted {
  authorization: string | undefined;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
}

/**
 * The world of a request that carries no credentials, by what is there first: the world that the host belongs to, an API
 * key that somebody sent nevertheless, the burn that is asked for, the only world; else the one that is nobody's.
 */
export function attestationWorld(worlds: Worlds, wanted: Wanted, home: string | undefined): World {
  const known = (home === undefined ? undefined : worlds.get(home)) ?? keyWorld(worlds, wanted.authorization);
  if (known) return known;
  const all = worlds.all();
  const withBurn = all.find((world) => holdsBurn(world, wanted));
  return withBurn ?? (all.length === 1 ? all[0]! : worlds.commons());
}

function keyWorld(worlds: Worlds, authorization: string | undefined): World | undefined {
  try {
    return worlds.find(readApiKey(authorization));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function holdsBurn({ store }: World, { params, query }: Wanted): boolean {
  const { transactionHash, nonce = params.nonce } = query;
  if (typeof transactionHash === 'string' && store.crossChain.holdsTransaction(transactionHash)) return true;
  const normal = typeof nonce === 'string' ? normalNonce(nonce) : undefined;
  return normal !== undefined && store.crossChain.ofNonce(normal) !== undefined;
}

/** Whatever is wrong with a request is 400 there, with a code and a message alone (api-facts 11). */
export function plainRefusal(refusal: Refusal): Refusal {
  if (refusal.errors === undefined && refusal.code !== 2) return refusal;
  return new Refusal(400, { message: refusal.errors?.[0]?.message ?? refusal.message });
}
