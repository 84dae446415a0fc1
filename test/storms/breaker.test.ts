import { requestsOf, sentBy } from '../support/journal';
import { SentRequests } from '../support/sentRequests';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const FLOWS = 50;

/** Rule 3, kind `halt`: broken credentials stop the entity, not fifty flows. */
describe('a revoked key', () => {
  let stack: Stack;
  let wallet: FundedWallet;
  const sent = new SentRequests();
  const told = () => stack.log.filter((line) => line.includes('Incident') && line.includes(stack.entity.name));

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

  test('is one incident, no storm of requests, and all flows complete when it is given back', async () => {
    const flows = await Promise.all(
      Array.from({ length: FLOWS }, () => stack.flows.transfer.start(transferOf(wallet))),
    );
    await until(async () => (await requestsOf(stack.world, 'createTransfer')).length >= 5, 'the first submissions');

    await stack.world.control.setKeyState('revoked');
    await until(() => Promise.resolve(told().length > 0), 'the incident');
    expect(await stack.metrics.text()).toContain(`walletflow_incident_open{entity="${stack.entity.name}"} 1`);
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    // One probe at a time, the first after 2 s and the next 4 s after its answer.
    const opened = Date.parse((JSON.parse(told()[0]!) as { time: string }).time);
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
    expect(told()).toHaveLength(2);
  });
});
