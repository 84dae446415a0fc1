import fastify from 'fastify';
import { connectFlows } from 'walletflow';

type Payout = { ref: string; walletId: string; to: string; tokenId: string; amount: string };
type OnPayout<Body> = { Params: { ref: string }; Body: Body };

/** HTTP status by the name of a flow's error. */
const STATUS: Readonly<Record<string, number>> = {
  FlowInputError: 400,
  FlowNotFoundError: 404,
  FlowConflictError: 409,
  FlowRefusedError: 409,
  FlowNotReachableError: 503,
};
const withBody = { schema: { body: { type: 'object' } } };

async function main(): Promise<void> {
  const flows = await connectFlows();
  const app = fastify({ logger: true }).addHook('onClose', () => flows.close());
  app.setErrorHandler(({ name, message, statusCode }: Error & { statusCode?: number }, _request, reply) =>
    reply.code(STATUS[name] ?? statusCode ?? 500).send({ error: name, message }),
  );
  app.post<{ Body: Payout }>('/payouts', withBody, async ({ body: { walletId, ...transfer } }, reply) => {
    const { ref, created } = await flows.transfer.start({ ...transfer, from: { walletId } });
    return reply.code(created ? 202 : 200).send({ ref, created });
  });
  app.get<OnPayout<never>>('/payouts/:ref', ({ params: { ref } }) => flows.transfer.get(ref).progress());
  // In a real backend `by` is whoever is logged in.
  app.post<OnPayout<{ choice: string; by: string }>>('/payouts/:ref/decide', withBody, ({ params: { ref }, body }) =>
    flows.transfer.get(ref).decide(body.choice, { by: body.by }),
  );
  app.post<OnPayout<{ by: string }>>('/payouts/:ref/cancel', withBody, async ({ params: { ref }, body: { by } }) => ({
    answer: await flows.transfer.get(ref).cancel({ by }),
  }));
  await app.listen({ port: 3000 });
}

void main();
