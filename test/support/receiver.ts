import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: IncomingMessage['headers'];
  /** The body's bytes, which the signature is over. */
  raw: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies by path
  body: any;
}

/** A status, with headers where given. `hang` gives no answer, `drop` breaks the connection. */
export type Answer = number | { status: number; headers: Record<string, string> } | 'hang' | 'drop';

/** A receiver of webhooks on this machine. */
export class Receiver {
  /** POSTs in the order of their arrival, but those of `webhooks.test`. */
  received: Received[] = [];
  /** The bodies of `webhooks.test`. */
  tests: Received[] = [];
  /** The next answers to webhooks that are no tests. */
  answers: Answer[] = [];
  /** The answer to all others. */
  usual: Answer = 200;
  /** Status of the answers to HEAD. */
  head: number | 'hang' = 200;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const answer = receiver.#take(request, Buffer.concat(chunks));
        if (answer === 'drop') request.socket.destroy();
        else if (typeof answer === 'number') response.writeHead(answer).end();
        else if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end();
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
    this.answers = [];
    this.usual = 200;
    this.head = 200;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  #take({ method, headers }: IncomingMessage, raw: Buffer): Answer {
    if (method === 'HEAD') return this.head;
    const webhook: Received = { headers, raw, body: JSON.parse(raw.toString()) };
    if (webhook.body.notificationType === 'webhooks.test') {
      this.tests.push(webhook);
      return 200;
    }
    this.received.push(webhook);
    return this.answers.shift() ?? this.usual;
  }
}
