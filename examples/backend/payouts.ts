import type { FastifyInstance } from 'fastify';
import type { Flows } from 'walletflow';
import { tokenOf, withBody } from './http';

type Payout = { ref: string; walletId: string; to: string; tokenId: string; amount: string };
/** `attention` is the id of the question that the person saw. */
type Decision = { choice: string; attention: string };
type PayoutRoute<Body> = { Params: { ref: string }; Body: Body };

export function payouts(app: FastifyInstance, flows: Flows): void {
  app.post<{ Body: Payout }>('/payouts', withBody, async ({ body, headers }, reply) => {
    const { walletId, ...transfer } = body;
    const input = { ...transfer, from: { walletId } };
    const { ref, created } = await flows.transfer.start(input, { token: tokenOf(headers) });
    return reply.code(created ? 202 : 200).send({ ref, created });
  });
  app.get<PayoutRoute<never>>('/payouts/:ref', ({ params: { ref } }) => flows.transfer.get(ref).progress());
  app.post<PayoutRoute<Decision>>('/payouts/:ref/decide', withBody, ({ params: { ref }, body, headers }) =>
    flows.transfer.get(ref).decide(body.choice, { token: tokenOf(headers), attention: body.attention }),
  );
  app.post<PayoutRoute<never>>('/payouts/:ref/cancel', async ({ params: { ref }, headers }) => ({
    result: await flows.transfer.get(ref).cancel({ token: tokenOf(headers) }),
  }));
}
