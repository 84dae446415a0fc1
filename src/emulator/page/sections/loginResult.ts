import type { LoginResponse } from '../userViews.js';
import type { CopyableResult } from '../world.js';

/** The values that the client SDK passes to the app after a login. */
export function loginResult({ userToken, encryptionKey, refreshToken }: LoginResponse): CopyableResult {
  return {
    title: 'What the client receives',
    texts: [
      { label: 'User token', text: userToken },
      { label: 'Encryption key', text: encryptionKey },
      { label: 'Refresh token', text: refreshToken },
    ],
  };
}
