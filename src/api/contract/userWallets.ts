import { z } from 'zod';
import { endpoint } from './endpoint';
import { uuid } from './schema';
import { APPROVAL_ERRORS, Challenge, USER_WALLET_RULES, userWalletFields } from './users';

/** Wallets of users (docs/api-behavior.md#users-and-challenges). */
export const userWallets = {
  createUserWallets: endpoint({
    method: 'POST',
    path: '/user/wallets',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ idempotencyKey: uuid, ...userWalletFields }),
    response: Challenge,
    rules: USER_WALLET_RULES,
    errors: [155502, 155506, 155507, 155508, 155509, 155511, 156006, 156017, ...APPROVAL_ERRORS],
    summary: 'Opens a challenge to create a wallet of the user on each blockchain',
  }),
};
