import type { Transaction } from './resources';

/** Whether a request may name a wallet or a transaction; what it may not is not found (`156001`, `156003`). */
export type Reach = (owned: Pick<Transaction, 'custodyType' | 'userId'>) => boolean;

/** Controls. */
export const EVERYBODYS: Reach = () => true;

/** Calls that the entity secret signs. */
export const DEVELOPERS: Reach = ({ custodyType }) => custodyType === 'DEVELOPER';

/** Calls with a user's token. */
export function usersOwn(userId: string): Reach {
  return (owned) => owned.userId === userId;
}

/** Calls that take a user's token or none: the user's own with it, all without it. */
export function reachOf(userToken: { user: { id: string } } | undefined): Reach {
  return userToken ? usersOwn(userToken.user.id) : EVERYBODYS;
}
