import type { LoginAnswer } from '../overviewOfPeople.js';
import type { Result } from '../world.js';

/** What the client SDK hands to the app when its user has logged in. */
export function loginResult({ userToken, encryptionKey, refreshToken }: LoginAnswer): Result {
  return {
    title: 'What the client gets',
    texts: [
      { label: 'User token', text: userToken },
      { label: 'Encryption key', text: encryptionKey },
      { label: 'Refresh token', text: refreshToken },
    ],
  };
}
