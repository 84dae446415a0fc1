import { type ChangingProxy, startChangingProxy } from '../support/changingProxy';
import { sentBy } from '../support/journal';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet } from '../support/wallets';

describe('a response about another thing than the one that was asked for', () => {
  let stack: Stack;
  let proxy: ChangingProxy;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST, settings: { limits: false } });
    proxy = await startChangingProxy(stack.world.url);
    stack.entity.hosts.api = proxy.url;
    // The workers start again, with this host.
    await stack.whileStopped(async () => {});
  });
  afterAll(async () => {
    await stack.close();
    proxy.close();
  });

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
    expect(proxy.swapped.size).toBe(0);
  }

  // First: a worker does not read a token twice.
  test('another token: no transfer fails because of it', async () => {
    const own = transferOf(await fundedWallet(stack));
    const { tokenId: other } = transferOf(await fundedWallet(stack, { blockchain: 'MATIC-AMOY' }));
    proxy.swapped.set(`/tokens/${own.tokenId}`, `/tokens/${other}`);
    await complete([own]);
  });

  test('another wallet: nothing leaves it, and no later transfer believes it', async () => {
    const [own, other] = [await fundedWallet(stack), await fundedWallet(stack)];
    proxy.swapped.set(`/wallets/${own.id}`, `/wallets/${other.id}`);
    await complete([transferOf(own), transferOf(own)]);
    expect([await sentBy(stack.world, own.id), await sentBy(stack.world, other.id)]).toMatchObject([[{}, {}], []]);
  });

  test('the list of another wallet: its pending transaction does not hold up the lane', async () => {
    const own = await fundedWallet(stack, { blockchain: 'AVAX-FUJI', accountType: 'SCA' });
    const other = await fundedWallet(stack, { blockchain: 'AVAX-FUJI', accountType: 'SCA' });
    await stack.world.control.setSpeed(0.001);
    const blocking = await stack.flows.transfer.start(transferOf(other));
    await until(async () => (await sentBy(stack.world, other.id)).length === 1, 'the transaction of the other wallet');
    const query = { walletIds: other.id, includeAll: true };
    const body = JSON.stringify({ data: (await stack.api.listTransactions({ query })).data });
    proxy.change = (path, { headers }) => (path.includes(`walletIds=${own.id}`) ? { headers, body } : undefined);
    const flow = await stack.flows.transfer.start(transferOf(own));
    await until(async () => (await sentBy(stack.world, own.id)).length === 1, 'the own transaction');
    proxy.change = undefined;
    await stack.world.control.setSpeed(FAST);
    for (const each of [flow, blocking]) expect(await each.result()).toMatchObject({ status: 'completed' });
  });
});
