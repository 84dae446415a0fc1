import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: IncomingHttpHeaders;
  /** The body's bytes, which the signature is over. */
  raw: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies by path
  body: any;
}

/** A receiver of webhooks on this machine. */
export class Receiver {
  /** POSTs in the order of their arrival; those of `webhooks.test` are left out. */
  received: Received[] = [];
  /** Status of the next answers to POSTs; `hang` gives none. 200 once it is empty. */
  answers: (number | 'hang')[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method === 'HEAD') return response.writeHead(200).end();
        const raw = Buffer.concat(chunks);
        const body: unknown = JSON.parse(raw.toString());
        if ((body as Received['body']).notificationType === 'webhooks.test') return response.writeHead(200).end();
        receiver.received.push({ headers: request.headers, raw, body });
        const answer = receiver.answers.shift() ?? 200;
        return answer === 'hang' ? undefined : response.writeHead(answer).end();
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
    this.answers = [];
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
