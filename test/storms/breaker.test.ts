import { requestsOf, sentBy } from '../support/journal';
import { FAST, startStack, type Stack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { fundedWallet, type FundedWallet } from '../support/wallets';

const FLOWS = 50;

/** Rule 3, kind `halt`: broken credentials stop the entity, not fifty flows. */
describe('a revoked key', () => {
  let stack: Stack;
  let wallet: FundedWallet;

  beforeAll(async () => {
    stack = await startStack({ speed: FAST });
    wallet = await fundedWallet(stack);
    await stack.world.control.clearJournal();
  });
  afterAll(() => stack.close());

  test('is one incident, no storm of requests, and all flows complete when it is given back', async () => {
    const flows = await Promise.all(
      Array.from({ length: FLOWS }, () => stack.flows.transfer.start(transferOf(wallet))),
    );
    await until(async () => (await requestsOf(stack.world, 'createTransfer')).length >= 5, 'the first submissions');

    await stack.world.control.setKeyState('revoked');
    await until(
      async () => (await stack.metrics.text()).includes(`walletflow_incident_open{entity="${stack.entity.name}"} 1`),
      'the incident',
    );
    const before = (await stack.world.control.journal()).length;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const refused = (await stack.world.control.journal()).slice(before);
    // Requests that were under way, then one probe at a time: after 2, 4 and 8 s.
    expect(refused.length).toBeLessThanOrEqual(10);
    for (const flow of flows.slice(-5)) expect((await flow.progress()).attention).toBeUndefined();

    await stack.world.control.setKeyState('active');
    const outcomes = await Promise.all(flows.map((flow) => flow.result()));
    expect(outcomes.filter(({ status }) => status === 'completed')).toHaveLength(FLOWS);
    expect((await requestsOf(stack.world, 'createTransfer')).filter(({ committed }) => committed)).toHaveLength(FLOWS);
    expect((await sentBy(stack.world, wallet.id)).length).toBe(FLOWS);
    const metrics = await stack.metrics.text();
    expect(metrics).toContain(`walletflow_incidents_total{entity="${stack.entity.name}"} 1`);
    expect(metrics).toContain(`walletflow_incident_open{entity="${stack.entity.name}"} 0`);
    const told = stack.log.filter((line) => line.includes('Incident') && line.includes(stack.entity.name));
    expect(told).toHaveLength(2);
  }, 120_000);
});
