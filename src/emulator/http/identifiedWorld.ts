import { readApiKey } from '../credentials/apiKey';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { World } from '../world/world';
import type { WorldRegistry } from '../world/worldRegistry';

/** The world that owns the host, or the world of an API key that was sent although none is needed. */
export function identifiedWorld(
  worlds: WorldRegistry,
  authorization: string | undefined,
  ownerKey: string | undefined,
): World | undefined {
  return (ownerKey === undefined ? undefined : worlds.get(ownerKey)) ?? worldOfKey(worlds, authorization);
}

function worldOfKey(worlds: WorldRegistry, authorization: string | undefined): World | undefined {
  try {
    return worlds.find(readApiKey(authorization));
  } catch (error) {
    if (error instanceof ApiErrorResponse) return undefined;
    throw error;
  }
}
