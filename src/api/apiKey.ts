/** What the parts of an API key tell (api-facts 1). The secret part stays in the key. */
export interface ApiKey {
  /** `TEST_API_KEY` keys use testnets, `LIVE_API_KEY` keys main networks. */
  kind: 'test' | 'live';
  /** A live key of the emulator's own form `LIVE_API_KEY:emulator:…`: no key of the real API (DESIGN rule 11). */
  emulator: boolean;
}

/** `PREFIX:ID:SECRET`, of what a header may hold. */
const FORM = /^(TEST|LIVE)_API_KEY:([!-9;-~]+):[!-9;-~]+$/;

/** The form of a key, for messages: they never hold the key itself. */
export const API_KEY_FORM = 'TEST_API_KEY:<id>:<secret> or LIVE_API_KEY:<id>:<secret>';

export function parseApiKey(text: string): ApiKey | undefined {
  const [, prefix, id] = FORM.exec(text) ?? [];
  if (prefix === undefined) return undefined;
  const kind = prefix === 'LIVE' ? 'live' : 'test';
  return { kind, emulator: kind === 'live' && id === 'emulator' };
}
