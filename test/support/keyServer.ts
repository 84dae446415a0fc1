import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Publishes keys as an issuer does and counts the requests. */
export class KeyServer {
  requests = 0;
  response: { status?: number; headers?: Record<string, string>; body: string } = { body: '' };
  private readonly server: Server;

  constructor() {
    this.server = createServer((_request, outgoing) => {
      this.requests++;
      outgoing.writeHead(this.response.status ?? 200, this.response.headers).end(this.response.body);
    });
  }

  /** @returns the URL of the keys */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/jwks.json`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
