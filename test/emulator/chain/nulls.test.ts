import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from './support';

afterAll(closeOwnEmulator);

const NULLS = { nfts: null, abiParameters: null, errorReason: null };

test('a transaction has null where published responses have it, in responses, lists and webhooks', async () => {
  const client = await TestClient.open();
  const receiver = await client.subscribe(['transactions.outbound']);
  try {
    const wallet = await client.wallet('ETH-SEPOLIA', 'EOA');
    await client.fund(wallet, { native: '5', USDC: '500' });
    const { id } = (await client.transfer(wallet, {})).data;
    await client.settle();
    const { transaction } = (await client.get(`/transactions/${id}`)).data;
    expect(transaction).toMatchObject({ state: 'COMPLETE', amounts: expect.any(Array), ...NULLS });
    // Other fields without a value are missing.
    expect(transaction).not.toHaveProperty('errorDetails');
    const { transactions } = (await client.get('/transactions')).data;
    for (const row of transactions) expect(row).toMatchObject(NULLS);
    const sent = receiver.received.map(({ body }) => body.notification);
    expect(sent.length).toBeGreaterThan(0);
    for (const notification of sent) expect(notification).toMatchObject({ id, ...NULLS });
  } finally {
    receiver.close();
  }
});

test('the OpenAPI document allows null for these fields only', async () => {
  const client = await TestClient.open();
  // oxlint-disable-next-line typescript/no-explicit-any -- read by path
  const document = (await (await fetch(`${client.world.url}/openapi.json`)).json()) as any;
  const { properties } =
    document.paths['/v1/w3s/transactions/{id}'].get.responses['2XX'].content['application/json'].schema.properties.data
      .properties.transaction;
  const nullable = Object.keys(properties).filter((name) => JSON.stringify(properties[name]).includes('"null"'));
  expect(nullable.toSorted()).toEqual([
    'abiParameters',
    'amounts',
    'errorReason',
    'nfts',
    'transactionScreeningEvaluation',
  ]);
});
