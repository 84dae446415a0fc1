import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { verifyFlowEvent } from 'walletflow';

/** Takes what flows tell, where the secret is configured that the workers sign with. */
export function takeEvents(app: FastifyInstance): void {
  const { EVENTS_SECRET_FILE } = process.env;
  if (!EVENTS_SECRET_FILE) return;
  const secret = readFileSync(EVENTS_SECRET_FILE, 'utf8');
  // In a real backend a table, written in the transaction that acts on the event: an event may come more than once.
  const taken = new Set<string>();

  void app.register((scope, _options, done) => {
    // The signature is over the bytes as they came.
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.post<{ Body: Buffer }>('/events', async ({ body, headers, log }, reply) => {
      const event = verifyFlowEvent(body, headers, secret);
      if (!taken.has(event.id)) {
        taken.add(event.id);
        log.info({ event: event.id, type: event.type }, `${event.flow}/${event.ref} tells ${event.type}`);
      }
      return reply.code(204).send();
    });
    done();
  });
}
