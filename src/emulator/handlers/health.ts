import type { Handlers } from '../http/handler';

export const health: Handlers<'health'> = {
  ping: () => ({ body: { message: 'pong' } }),
};
