import type { Handlers } from '../area';

export const health: Handlers<'health'> = {
  ping: () => ({ body: { message: 'pong' } }),
};
