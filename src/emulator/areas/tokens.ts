import type { Handlers } from '../area';
import { Refusal } from '../refusal';
import type { Token } from '../resources';
import type { World } from '../world';

export const tokens: Handlers<'tokens'> = {
  getToken({ world, params }) {
    return { body: { data: { token: tokenById(world, params.id) } } };
  },
};

/** @throws Refusal 156002 */
export function tokenById({ store }: World, id: string): Token {
  const token = store.tokens.get(id);
  if (!token) throw new Refusal(156002);
  return token;
}
