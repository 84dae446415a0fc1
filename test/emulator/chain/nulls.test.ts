import { closeOwnEmulator } from '../../support/emulator';
import { call, USDC } from '../contracts/support';
import { STRANGER, TestClient, token } from './support';

afterAll(closeOwnEmulator);

const NULLS = { nfts: null, abiParameters: null, errorReason: null, errorDetails: null };
const NOT_IN_A_BLOCK = { blockHash: null, blockHeight: null, firstConfirmDate: null };

test('a transaction has null where published responses have it, in responses, lists and webhooks', async () => {
  const client = await TestClient.open();
  const receiver = await client.subscribe(['transactions.outbound']);
  try {
    const wallet = await client.wallet('ETH-SEPOLIA', 'EOA');
    await client.fund(wallet, { native: '5', USDC: '500' });
    const { id } = (await client.transfer(wallet, {})).data;
    expect(await client.transaction(id)).toMatchObject({
      state: 'INITIATED',
      txHash: null,
      ...NOT_IN_A_BLOCK,
      ...NULLS,
    });
    await client.settle();
    const { transaction } = (await client.get(`/transactions/${id}`)).data;
    expect(transaction).toMatchObject({ state: 'COMPLETE', amounts: expect.any(Array), ...NULLS });
    // Other fields without a value are missing.
    expect(transaction).not.toHaveProperty('userOpHash');
    const { transactions } = (await client.get('/transactions')).data;
    for (const row of transactions) expect(row).toMatchObject(NULLS);
    const sent = receiver.received.map(({ body }) => body.notification);
    expect(sent.length).toBeGreaterThan(0);
    for (const notification of sent) expect(notification).toMatchObject({ id, ...NULLS });
  } finally {
    receiver.close();
  }
});

test('a call without amounts has an empty list, and null once it has failed; a failed transfer loses them in webhooks', async () => {
  const client = await TestClient.open();
  const receiver = await client.subscribe(['transactions.outbound']);
  try {
    const wallet = await client.fundedWallet();
    const approve = async () => {
      const { data } = await call(client, wallet, USDC['ETH-SEPOLIA'], 'approve(address,uint256)', STRANGER, '5');
      return data.id as string;
    };
    const fail = () =>
      client.control('POST', '/transactions/next', { fail: { errorReason: 'FAILED_ON_CHAIN', errorDetails: 'x' } });
    const called = await approve();
    await fail();
    const failedCall = await approve();
    await fail();
    const transfer = (await client.transfer(wallet)).data.id as string;
    await client.settle();
    expect(await client.transaction(called)).toMatchObject({ state: 'COMPLETE', amounts: [] });
    expect(await client.transaction(failedCall)).toMatchObject({ state: 'FAILED', amounts: null });
    expect(await client.transaction(transfer)).toMatchObject({ state: 'FAILED', amounts: ['1'] });
    const shown = receiver.received
      .map(({ body }) => body.notification)
      .filter(({ id }) => id === transfer)
      .map(({ state, amounts }) => [state, amounts]);
    expect(shown).toContainEqual(['SENT', ['1']]);
    expect(shown.at(-1)).toEqual(['FAILED', null]);
  } finally {
    receiver.close();
  }
});

test('transfers and fees have a value in dollars, and transactions of smart-contract wallets a user operation', async () => {
  const client = await TestClient.open();
  const [eoa, sca] = [await client.fundedWallet(), await client.fundedWallet('ETH-SEPOLIA', 'SCA')];
  const sent = (await client.transfer(eoa, { amounts: ['2.5'] })).data.id as string;
  expect(await client.transaction(sent)).toMatchObject({ amountInUSD: '2.5' });
  expect(await client.transaction(sent)).not.toHaveProperty('networkFeeInUSD');
  const euros = await client.wallet();
  await client.fund(euros, { EURC: '10' });
  const operation = (await client.transfer(sca)).data.id as string;
  await client.settle();
  const { networkFee, networkFeeInUSD } = await client.transaction(sent);
  // One ETH is 3,000 dollars.
  expect(Number(networkFeeInUSD)).toBeCloseTo(Number(networkFee) * 3_000, 6);
  const { data } = await client.get(`/transactions?walletIds=${euros.id}`);
  expect(data.transactions).toMatchObject([{ tokenId: token('ETH-SEPOLIA', 'EURC'), amountInUSD: '11' }]);
  const { userOpHash, txHash } = await client.transaction(operation);
  expect(userOpHash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(userOpHash).not.toBe(txHash);
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
    'blockHash',
    'blockHeight',
    'errorDetails',
    'errorReason',
    'firstConfirmDate',
    'nfts',
    'transactionScreeningEvaluation',
    'txHash',
  ]);
});
