import type { World } from '../world/world';

/** Wraps a response body of the Compliance Engine as the setting `complianceEnvelope` says. */
export function enveloped<T extends object>({ settings }: World, body: T): T | { data: T } {
  return settings.complianceEnvelope === 'data' ? { data: body } : body;
}
