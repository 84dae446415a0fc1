import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request that the server received. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  text: string;
  /** Number of the connection, from 1. */
  connection: number;
}

export interface TestServer {
  origin: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

/** Starts a real HTTP server on a free loopback port. `respond` may break the protocol through the socket. */
export async function startServer(
  respond: (response: ServerResponse, seen: SeenRequest, socket: Socket) => void | Promise<void>,
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const connections = new Map<Socket, number>();
  const server = createServer((request, response) => {
    const { socket } = request;
    if (!connections.has(socket)) connections.set(socket, connections.size + 1);
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const received = { method, url, headers, text, connection: connections.get(socket) ?? 0 };
      seen.push(received);
      void respond(response, received, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
