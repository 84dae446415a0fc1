import { AREAS, type OperationId } from '../../api/contract';
import { normalizeNonce } from '../../domain/cctp';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import type { WorldRegistry } from '../world/worldRegistry';
import { identifiedWorld } from './identifiedWorld';

/** How the attestation host differs from the API host: no credentials, and its own error format. */

export function isAttestationOperation(operation: OperationId): boolean {
  return Object.hasOwn(AREAS.attestation, operation);
}

/** The parts of a request that identify its world. */
interface AttestationRequest {
  authorization: string | undefined;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
}

/**
 * Finds the world of a request without credentials. The first match wins: the world that owns the host, the world of an
 * API key that was sent although none is needed, the world with the requested burn, the only world, the shared world.
 */
export function attestationWorld(
  worlds: WorldRegistry,
  request: AttestationRequest,
  ownerKey: string | undefined,
): World {
  const known = identifiedWorld(worlds, request.authorization, ownerKey);
  if (known) return known;
  const all = worlds.all();
  const withBurn = all.find((world) => hasBurn(world, request));
  return withBurn ?? (all.length === 1 ? all[0]! : worlds.sharedWorld());
}

function hasBurn({ crossChain }: World, { params, query }: AttestationRequest): boolean {
  const { transactionHash, nonce = params.nonce } = query;
  if (typeof transactionHash === 'string' && crossChain.hasTransaction(transactionHash)) return true;
  const normal = typeof nonce === 'string' ? normalizeNonce(nonce) : undefined;
  return normal !== undefined && crossChain.findByNonce(normal) !== undefined;
}

/** The attestation host responds to any invalid request with 400 and one text. */
export function attestationError(error: ApiErrorResponse): ApiErrorResponse {
  if (error.errors === undefined && error.code !== 2) return error;
  return new ApiErrorResponse(400, { message: error.errors?.[0]?.message ?? error.message });
}
