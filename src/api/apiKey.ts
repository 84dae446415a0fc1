/** What the public parts of an API key say (docs/api-behavior.md#authentication-and-the-entity-secret). */
export interface ApiKey {
  /** `TEST_API_KEY` keys work on testnets, `LIVE_API_KEY` keys on mainnets. */
  kind: 'test' | 'live';
  /** A live key in the emulator's own form `LIVE_API_KEY:emulator:…` (docs/security.md#live-safety). */
  emulator: boolean;
}

/** `PREFIX:ID:SECRET`, in characters that a header may contain. */
const FORM = /^(TEST|LIVE)_API_KEY:([!-9;-~]+):[!-9;-~]+$/;

/** The form of a key, for messages. Messages never contain the key itself. */
export const API_KEY_FORM = 'TEST_API_KEY:<id>:<secret> or LIVE_API_KEY:<id>:<secret>';

export function parseApiKey(text: string): ApiKey | undefined {
  const [, prefix, id] = FORM.exec(text) ?? [];
  if (prefix === undefined) return undefined;
  const kind = prefix === 'LIVE' ? 'live' : 'test';
  return { kind, emulator: kind === 'live' && id === 'emulator' };
}
