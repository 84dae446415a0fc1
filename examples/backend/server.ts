import fastify from 'fastify';
import { connectFlows } from 'walletflow';
import { receiveEvents } from './events';
import { onboardings } from './onboardings';
import { payouts } from './payouts';

/** HTTP status by error name. */
const STATUS: Readonly<Record<string, number>> = {
  FlowInputError: 400,
  FlowEventError: 400,
  FlowNotFoundError: 404,
  FlowConflictError: 409,
  FlowRefusedError: 409,
  FlowNotReachableError: 503,
};

async function main(): Promise<void> {
  const flows = await connectFlows();
  const app = fastify({ logger: true }).addHook('onClose', () => flows.close());
  app.setErrorHandler(({ name, message, statusCode }: Error & { statusCode?: number }, _request, reply) =>
    reply.code(STATUS[name] ?? statusCode ?? 500).send({ error: name, message }),
  );
  payouts(app, flows);
  onboardings(app, flows);
  receiveEvents(app);
  await app.listen({ port: Number(process.env.PORT ?? 3000) });
}

void main();
