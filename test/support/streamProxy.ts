import { type AddressInfo } from 'node:net';
import http2 from 'node:http2';

/** A proxy between workers and Temporal that allows only so many open requests on each connection, as load balancers do. */
export interface StreamProxy {
  /** `host:port` */
  address: string;
  /** The most requests that were open at the same time on one connection. */
  most(): number;
  close(): void;
}

/** @param target `host:port` of the server @param maxStreams open requests on one connection */
export async function startStreamProxy(target: string, maxStreams: number): Promise<StreamProxy> {
  const sessions = new Set<http2.ServerHttp2Session>();
  let most = 0;
  const proxy = http2.createServer({ settings: { maxConcurrentStreams: maxStreams } });
  proxy.on('session', (session) => {
    const upstream = http2.connect(`http://${target}`);
    upstream.on('error', () => session.destroy());
    let here = 0;
    sessions.add(session);
    session.on('close', () => {
      sessions.delete(session);
      upstream.destroy();
    });
    session.on('stream', (stream, headers) => {
      here += 1;
      most = Math.max(most, here);
      stream.on('close', () => {
        here -= 1;
      });
      forward(stream, upstream.request(headers));
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    most: () => most,
    close() {
      for (const session of sessions) session.destroy();
      proxy.close();
    },
  };
}

/** gRPC sends its status in trailers, after the body, or in the headers of a response without a body. */
function forward(stream: http2.ServerHttp2Stream, request: http2.ClientHttp2Stream): void {
  let trailers: http2.IncomingHttpHeaders = {};
  stream.pipe(request);
  request.on('response', (headers, flags) => {
    const endsHere = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    if (endsHere) return stream.respond(headers, { endStream: true });
    stream.respond(headers, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    request.pipe(stream);
  });
  request.on('trailers', (received) => (trailers = received));
  request.on('error', () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR));
  stream.on('error', () => request.close(http2.constants.NGHTTP2_CANCEL));
  stream.on('close', () => request.close(http2.constants.NGHTTP2_CANCEL));
}
