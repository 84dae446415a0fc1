import type { World } from '../world';

/** An answer of the Compliance Engine in the shape that the world is set to. */
export function enveloped<T extends object>({ settings }: World, answer: T): T | { data: T } {
  return settings.complianceEnvelope === 'data' ? { data: answer } : answer;
}
