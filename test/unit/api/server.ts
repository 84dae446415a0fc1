import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What the server saw of one request. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  text: string;
  /** Counts connections from 1. */
  connection: number;
}

export interface TestServer {
  origin: string;
  seen: Seen[];
  close(): Promise<void>;
}

/** A real HTTP server on a free loopback port, which answers as it is told, however badly. */
export async function startServer(
  answer: (response: ServerResponse, seen: Seen, socket: Socket) => void | Promise<void>,
): Promise<TestServer> {
  const seen: Seen[] = [];
  const connections = new Map<Socket, number>();
  const server = createServer((request, response) => {
    const { socket } = request;
    if (!connections.has(socket)) connections.set(socket, connections.size + 1);
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, text, connection: connections.get(socket) ?? 0 };
      seen.push(one);
      void answer(response, one, socket);
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
