import type { Handlers } from '../http/handler';
import { tokenById } from '../ledger/tokens';

export const tokens: Handlers<'tokens'> = {
  getToken({ world, params }) {
    return { body: { data: { token: tokenById(world.store, params.id) } } };
  },
};
