import { createHash } from 'node:crypto';
import type { ApiKey } from '../credentials/apiKey';
import type { World } from './world';

/** The worlds of an emulator, by API key. */
export interface WorldRegistry {
  /** The world of a request's API key. An emulator may open one for a key that it does not know. */
  find(key: ApiKey): World | undefined;
  get(apiKey: string): World | undefined;
  all(): World[];
  /** For attestation requests that belong to no other world. */
  sharedWorld(): World;
  /** Replaces a world by a new one with the same options. It keeps its entity secret and what resets that secret. */
  reset(apiKey: string): World;
}

/** Identifies a world without revealing its API key. */
export function worldId(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 16);
}
