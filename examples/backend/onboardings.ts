import type { FastifyInstance } from 'fastify';
import type { Flows } from 'walletflow';
import { approvalPage } from './approvalPage';
import { tokenOf, withBody } from './http';

type OnUser<Body = never> = { Params: { userId: string }; Body: Body };

/**
 * Users who get wallets. The backend keeps nothing about it: its own opaque id of the user is the flow's ref, and all else is
 * asked of the flow. A real one lets each user in at his or her own id alone.
 */
export function onboardings(app: FastifyInstance, flows: Flows): void {
  const of = (userId: string) => flows.onboardUser.get(userId);

  app.post<{ Body: { userId: string } }>('/onboardings', withBody, async ({ body: { userId } }, reply) => {
    const wallets = [{ blockchains: ['ETH-SEPOLIA' as const] }];
    const { ref, created } = await flows.onboardUser.start({ ref: userId, method: 'pin', userId, wallets });
    return reply.code(created ? 202 : 200).send({ ref, created });
  });
  app.get<OnUser>('/onboardings/:userId', ({ params: { userId } }) => of(userId).progress());

  // Fresh each time, for this one browser; nothing of it is logged, kept, or cached on its way.
  app.post<OnUser>('/onboardings/:userId/approval', async ({ params: { userId } }, reply) =>
    reply.header('cache-control', 'no-store').send(await flows.session(userId).approval()),
  );
  app.get<OnUser>('/onboardings/:userId/page', async ({ params: { userId } }, reply) =>
    reply.type('text/html').send(approvalPage(userId, await of(userId).progress())),
  );
  // What the SDK complains about, so that the flow can mend it: an old token, a locked PIN, a challenge that is over.
  app.post<OnUser<{ code: number }>>(
    '/onboardings/:userId/client-error',
    withBody,
    ({ params: { userId }, body: { code }, headers }) =>
      of(userId).provide('clientError', { code }, { token: tokenOf(headers) }),
  );
}
