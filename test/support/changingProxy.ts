import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Reply {
  headers: OutgoingHttpHeaders;
  body: string;
}

/** What a cache or a proxy between worker and API does to requests and responses. */
export interface ChangingProxy {
  url: string;
  /** The path of a request that contains the key is replaced once: the response is about another thing. */
  swapped: Map<string, string>;
  /** @returns another response for this path; undefined to leave it as it is */
  change: ((path: string, reply: Reply) => Reply | undefined) | undefined;
  close(): void;
}

export async function startChangingProxy(target: string): Promise<ChangingProxy> {
  const { hostname: host, port, host: hostHeader } = new URL(target);
  const server = http.createServer((request, response) => {
    const asked = [...proxy.swapped.keys()].find((part) => request.url!.includes(part));
    const path = asked === undefined ? request.url! : request.url!.replace(asked, proxy.swapped.get(asked)!);
    if (asked !== undefined) proxy.swapped.delete(asked);
    const headers = { ...request.headers, host: hostHeader };
    const options = { host, port, method: request.method, path, headers };
    request.pipe(http.request(options, (incoming) => void relay(path, incoming, response)));
  });

  async function relay(path: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const original: Reply = { headers: incoming.headers, body: (await buffer(incoming)).toString() };
    const { headers, body } = proxy.change?.(path, original) ?? original;
    const { 'transfer-encoding': _, 'content-length': __, ...rest } = headers;
    response.sendDate = rest.date !== undefined;
    response.writeHead(incoming.statusCode!, rest).end(body);
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: ChangingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swapped: new Map(),
    change: undefined,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
