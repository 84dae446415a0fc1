import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  headers: IncomingMessage['headers'];
  /** The body's bytes; the signature covers these. */
  raw: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies by path
  body: any;
}

/** A status, optionally with headers. `hang` never responds; `drop` closes the connection without a response. */
export type ScriptedResponse = number | { status: number; headers: Record<string, string> } | 'hang' | 'drop';

/** A local HTTP server that receives webhooks. */
export class Receiver {
  /** Webhooks in the order of arrival, except `webhooks.test`. */
  received: ReceivedWebhook[] = [];
  /** Received webhooks of type `webhooks.test`. */
  tests: ReceivedWebhook[] = [];
  /** The next responses to webhooks other than `webhooks.test`, in order. */
  responses: ScriptedResponse[] = [];
  /** The response once `responses` is empty. */
  defaultResponse: ScriptedResponse = 200;
  /** Status of the response to HEAD. */
  head: number | 'hang' = 200;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const scripted = receiver.#take(request, Buffer.concat(chunks));
        if (scripted === 'drop') request.socket.destroy();
        else if (typeof scripted === 'number') response.writeHead(scripted).end();
        else if (scripted !== 'hang') response.writeHead(scripted.status, scripted.headers).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  clear(): void {
    this.received = [];
    this.tests = [];
    this.responses = [];
    this.defaultResponse = 200;
    this.head = 200;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  #take({ method, headers }: IncomingMessage, raw: Buffer): ScriptedResponse {
    if (method === 'HEAD') return this.head;
    const webhook: ReceivedWebhook = { headers, raw, body: JSON.parse(raw.toString()) };
    if (webhook.body.notificationType === 'webhooks.test') {
      this.tests.push(webhook);
      return 200;
    }
    this.received.push(webhook);
    return this.responses.shift() ?? this.defaultResponse;
  }
}
