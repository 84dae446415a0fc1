import type { Transaction } from '../ledger/resources';

/**
 * Whether a request may access a wallet or a transaction. An inaccessible one is treated as not found (`156001`, `156003`).
 */
export type AccessFilter = (owned: Pick<Transaction, 'custodyType' | 'userId'>) => boolean;

/** For controls. */
export const ANY_OWNER: AccessFilter = () => true;

/** For calls that the entity secret authorizes. */
export const DEVELOPER_OWNED: AccessFilter = ({ custodyType }) => custodyType === 'DEVELOPER';

/** For calls with a user token. */
export function ownedByUser(userId: string): AccessFilter {
  return (owned) => owned.userId === userId;
}

/** For calls with an optional user token: with a token the user's own resources, without one all resources. */
export function accessOf(userToken: { user: { id: string } } | undefined): AccessFilter {
  return userToken ? ownedByUser(userToken.user.id) : ANY_OWNER;
}
