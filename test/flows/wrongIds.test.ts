import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';

/** A cache or a proxy between worker and API returns the response to another request. */
describe('a response about another thing than the one that was asked for', () => {
  let stack: Stack;
  let server: http.Server;
  /** Paths of requests are replaced once each. */
  const swapped = new Map<string, string>();

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
    const target = new URL(stack.world.url);
    server = http.createServer((request, response) => {
      const asked = [...swapped.keys()].find((part) => request.url!.includes(part));
      const path = asked === undefined ? request.url! : request.url!.replace(asked, swapped.get(asked)!);
      if (asked !== undefined) swapped.delete(asked);
      const headers = { ...request.headers, host: target.host };
      const options = { host: target.hostname, port: target.port, method: request.method, path, headers };
      const forwarded = http.request(options, (reply) => {
        response.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(response);
      });
      request.pipe(forwarded);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    stack.entity.hosts.api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // The workers start again, with this host.
    await stack.whileStopped(async () => {});
  });
  afterAll(async () => {
    await stack.close();
    server.closeAllConnections();
    server.close();
  });

  const amoyTransfer = async () => transferOf(await fundedWallet(stack, { blockchain: 'MATIC-AMOY' }));

  /** Decides to read again, if the flow asks. */
  async function complete(transfers: ReturnType<typeof transferOf>[]): Promise<void> {
    for (const input of transfers) {
      const flow = await stack.flows.transfer.start(input);
      await until(async () => {
        const { attention, outcome } = await flow.progress();
        if (attention) await flow.decide(attention.options[0]!.choice, await stack.as('ops')).catch(() => undefined);
        return outcome !== undefined;
      }, 'the end of the transfer');
      expect(await flow.result()).toMatchObject({ status: 'completed' });
    }
  }

  // First: a worker does not read a token twice.
  test('another token: no transfer fails because of it', async () => {
    const own = transferOf(await fundedWallet(stack));
    const { tokenId: other } = await amoyTransfer();
    swapped.set(`/tokens/${own.tokenId}`, `/tokens/${other}`);
    await complete([own]);
    expect(swapped.size).toBe(0);
  });

  test('another wallet: nothing leaves it, and no later transfer believes it', async () => {
    const [own, other] = [await fundedWallet(stack), await fundedWallet(stack)];
    swapped.set(`/wallets/${own.id}`, `/wallets/${other.id}`);
    await complete([transferOf(own), transferOf(own)]);
    expect(swapped.size).toBe(0);
    expect([await sentBy(stack.world, own.id), await sentBy(stack.world, other.id)]).toMatchObject([[{}, {}], []]);
  });
});
