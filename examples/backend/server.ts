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

const tokenOf = ({ authorization = '' }: { authorization?: string }) => authorization.replace(/^Bearer /i, '');

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
  // People bring the token of their login: the workers verify it, so that nobody decides in another's name.
  app.post<OnPayout<{ choice: string }>>('/payouts/:ref/decide', withBody, ({ params: { ref }, body, headers }) =>
    flows.transfer.get(ref).decide(body.choice, { token: tokenOf(headers) }),
  );
  app.post<OnPayout<never>>('/payouts/:ref/cancel', async ({ params: { ref }, headers }) => ({
    answer: await flows.transfer.get(ref).cancel({ token: tokenOf(headers) }),
  }));
  await app.listen({ port: 3000 });
}

void main();
