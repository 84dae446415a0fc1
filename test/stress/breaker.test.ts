import { requestsOf, sentBy } from '../support/journal';
import { SentRequests } from '../support/sentRequests';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const FLOWS = 50;

/** Invalid credentials stop the calls of the entity instead of failing its flows: docs/architecture.md#breaker. */
describe('a revoked key', () => {
  let stack: Stack;
  let wallet: FundedWallet;
  const sent = new SentRequests();
  const incidents = () => stack.log.filter((line) => line.includes('Incident') && line.includes(stack.entity.name));

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
    sent.watch();
  });
  afterAll(async () => {
    sent.stop();
    await stack.close();
  });

  test('causes one incident and few requests, and all flows complete once the key is active again', async () => {
    const flows = await Promise.all(
      Array.from({ length: FLOWS }, () => stack.flows.transfer.start(transferOf(wallet))),
    );
    await until(async () => (await requestsOf(stack.world, 'createTransfer')).length >= 5, 'the first submissions');

    await stack.world.control.setKeyState('revoked');
    await until(() => Promise.resolve(incidents().length > 0), 'the incident');
    expect(await stack.metrics.text()).toContain(`walletflow_incident_open{entity="${stack.entity.name}"} 1`);
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    // The breaker sends one probe at a time: the first after 2 s, the next 4 s after its response.
    const opened = Date.parse((JSON.parse(incidents()[0]!) as { time: string }).time);
    const inTenSeconds = sent.all().filter(({ sentAt }) => sentAt > opened && sentAt <= opened + 10_000);
    expect(inTenSeconds.length).toBeGreaterThan(0);
    expect(inTenSeconds.length).toBeLessThanOrEqual(3);
    for (const flow of flows.slice(-5)) expect((await flow.progress()).attention).toBeUndefined();

    await stack.world.control.setKeyState('active');
    const outcomes = await Promise.all(flows.map((flow) => flow.result()));
    expect(outcomes.filter(({ status }) => status === 'completed')).toHaveLength(FLOWS);
    expect((await requestsOf(stack.world, 'createTransfer')).filter(({ committed }) => committed)).toHaveLength(FLOWS);
    expect((await sentBy(stack.world, wallet.id)).length).toBe(FLOWS);
    const metrics = await stack.metrics.text();
    expect(metrics).toContain(`walletflow_incidents_total{entity="${stack.entity.name}"} 1`);
    expect(metrics).toContain(`walletflow_incident_open{entity="${stack.entity.name}"} 0`);
    expect(incidents()).toHaveLength(2);
  });
});
