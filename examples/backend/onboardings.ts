import type { FastifyInstance } from 'fastify';
import type { Flows } from 'walletflow';
import { approvalPage } from './approvalPage';
import { tokenOf, withBody } from './http';

type UserRoute<Body = never> = { Params: { userId: string }; Body: Body };

/**
 * Onboarding of users. The backend stores nothing: its opaque id of the user is the flow's ref, and the flow has everything
 * else. A real backend lets users access only their own id.
 */
export function onboardings(app: FastifyInstance, flows: Flows): void {
  const onboardingOf = (userId: string) => flows.onboardUser.get(userId);

  app.post<{ Body: { userId: string } }>('/onboardings', withBody, async ({ body: { userId }, headers }, reply) => {
    const wallets = [{ blockchains: ['ETH-SEPOLIA' as const] }];
    const input = { ref: userId, method: 'pin' as const, userId, wallets };
    const { ref, created } = await flows.onboardUser.start(input, { token: tokenOf(headers) });
    return reply.code(created ? 202 : 200).send({ ref, created });
  });
  app.get<UserRoute>('/onboardings/:userId', ({ params: { userId } }) => onboardingOf(userId).progress());

  // New credentials for each request, for this browser only. Do not log, store or cache them.
  app.post<UserRoute>('/onboardings/:userId/approval', async ({ params: { userId } }, reply) =>
    reply.header('cache-control', 'no-store').send(await flows.session(userId).approval()),
  );
  app.get<UserRoute>('/onboardings/:userId/page', async ({ params: { userId } }, reply) =>
    reply.type('text/html').send(approvalPage(userId, await onboardingOf(userId).progress())),
  );
  // Errors of the SDK, to which the flow reacts: an expired token, a locked PIN, an expired challenge.
  app.post<UserRoute<{ code: number }>>(
    '/onboardings/:userId/client-error',
    withBody,
    ({ params: { userId }, body: { code }, headers }) =>
      onboardingOf(userId).provide('clientError', { code }, { token: tokenOf(headers) }),
  );
}
