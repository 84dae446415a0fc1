import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { verifyFlowEvent } from 'walletflow';

/** Receives the events of flows, if the secret with which the workers sign them is configured. */
export function receiveEvents(app: FastifyInstance): void {
  const { EVENTS_SECRET_FILE } = process.env;
  if (!EVENTS_SECRET_FILE) return;
  const secret = readFileSync(EVENTS_SECRET_FILE, 'utf8');
  // An event may arrive more than once. A real backend stores its id in the transaction that processes it.
  const processed = new Set<string>();

  void app.register((scope, _options, done) => {
    // The signature covers the bytes as received.
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.post<{ Body: Buffer }>('/events', async ({ body, headers, log }, reply) => {
      const event = verifyFlowEvent(body, headers, secret);
      if (!processed.has(event.id)) {
        processed.add(event.id);
        log.info({ event: event.id, type: event.type }, `${event.flow}/${event.ref} sent ${event.type}`);
      }
      return reply.code(204).send();
    });
    done();
  });
}
