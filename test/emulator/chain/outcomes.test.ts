import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient, token } from './support';

afterAll(closeOwnEmulator);

const [ETH, USDC] = [token('ETH-SEPOLIA', 'native'), token('ETH-SEPOLIA', 'USDC')];
const upgradeTo = 'circle_6900_singleowner_v2';

/** Reads a transaction after its end. */
async function endOf(client: TestClient, id: string) {
  await client.settle();
  return client.transaction(id);
}

describe('why transactions fail', () => {
  let client: TestClient;
  beforeEach(async () => {
    client = await TestClient.open();
  });
  afterEach(async () => {
    const { problems } = await client.audit();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  const settings = (patch: object) => client.world.control.changeSettings(patch);

  test.each([
    'ESTIMATION_ERROR',
    'ABI_SIGNATURE_PARAMS_MISMATCH',
    'GAS_LIMIT_TOO_LOW',
    'FAILED_ON_CHAIN',
    'INTERNAL_ERROR',
    'SOMETHING_NEW',
  ])('%s, if a control says so', async (errorReason) => {
    await client.world.control.call('POST', '/transactions/next', { fail: { errorReason } });
    const { id } = (await client.transfer(await client.fundedWallet())).data;
    expect(await endOf(client, id)).toMatchObject({ state: 'FAILED', errorReason });
  });

  test('INSUFFICIENT_NATIVE_TOKEN, if native tokens are spent outside the API before the transaction is sent', async () => {
    const wallet = await client.fundedWallet();
    const { id } = (await client.transfer(wallet)).data;
    await client.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, { tokenId: ETH, amount: '4.999' });
    const failed = await endOf(client, id);
    expect(failed).toMatchObject({ state: 'FAILED', errorReason: 'INSUFFICIENT_NATIVE_TOKEN' });
    expect(failed.txHash).toBeNull();
  });

  test('INSUFFICIENT_NATIVE_TOKEN or FAILED_ON_CHAIN, if funds are spent outside the API after it is sent', async () => {
    const [poor, bare] = [await client.fundedWallet(), await client.fundedWallet()];
    const first = (await client.transfer(poor)).data.id;
    const second = (await client.transfer(bare, { amounts: ['500'] })).data.id;
    await client.world.control.advance(2_000);
    await client.world.control.call('POST', `/wallets/${poor.id}/broadcast`, { tokenId: ETH, amount: '4.9997' });
    await client.world.control.call('POST', `/wallets/${bare.id}/broadcast`, { tokenId: USDC, amount: '0.5' });
    const dropped = await endOf(client, first);
    expect(dropped).toMatchObject({ errorReason: 'INSUFFICIENT_NATIVE_TOKEN', txHash: expect.any(String) });
    expect(dropped.blockHash).toBeNull();
    const reverted = await client.transaction(second);
    expect(reverted).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN', blockHash: expect.any(String) });
    // 65 000 gas at 13 gwei for the transaction itself, 21 000 for the one outside the API.
    expect(reverted.networkFee).toBe('0.000845');
    expect(await client.balances(bare)).toEqual({ ETH: '4.998882', USDC: '499.5' });
  });

  test('FEE_EXCEEDS_MAX_ALLOWANCE, if the maximum fee is lowered in the meantime', async () => {
    const { id } = (await client.transfer(await client.fundedWallet())).data;
    await settings({ maxFeeNative: '0.001' });
    expect(await endOf(client, id)).toMatchObject({ state: 'FAILED', errorReason: 'FEE_EXCEEDS_MAX_ALLOWANCE' });
  });

  test('TRANSACTION_UNDER_PRICE, if the offer is a tenth of the base fee', async () => {
    const fee = { feeLevel: undefined, gasLimit: '65000', maxFee: '1', priorityFee: '1' };
    const { id } = (await client.transfer(await client.fundedWallet(), fee)).data;
    expect(await endOf(client, id)).toMatchObject({ state: 'FAILED', errorReason: 'TRANSACTION_UNDER_PRICE' });
  });

  test('QUERY_NFT_METADATA_ERROR, if the metadata are unavailable', async () => {
    const wallet = await client.fundedWallet();
    const tokenId = token('ETH-SEPOLIA', 'SCOL');
    await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, nftTokenId: '1', amount: '1' });
    await client.settle();
    const metadata = (text: string | null) =>
      client.world.control.call('PUT', `/tokens/${tokenId}/metadata`, { metadata: text });
    await metadata('ipfs://sample');
    expect((await client.get(`/wallets/${wallet.id}/nfts`)).data.nfts[0]).toMatchObject({ metadata: 'ipfs://sample' });
    const { id } = (await client.transfer(wallet, { tokenId, nftTokenIds: ['1'] })).data;
    await metadata(null);
    expect(await endOf(client, id)).toMatchObject({ state: 'FAILED', errorReason: 'QUERY_NFT_METADATA_ERROR' });
  });

  test.each([
    'PAYMASTER_POLICY_NOT_ACTIVATED',
    'PAYMASTER_POLICY_EXCEED_MAX_DAILY_TRANSACTIONS',
    'PAYMASTER_POLICY_EXCEED_MAX_SPEND_USD_PER_TX',
    'PAYMASTER_POLICY_EXCEED_MAX_SPEND_USD_DAILY',
    'PAYMASTER_POLICY_EXCEED_MAX_NATIVE_TOKEN_DAILY',
    'PAYMASTER_POLICY_SENDER_IN_BLOCKLIST',
    'PAYMASTER_ENTITY_RESTRICTION',
  ])('%s, only for smart-contract wallets', async (errorReason) => {
    await settings({ paymasterPolicies: { 'ETH-SEPOLIA': errorReason } });
    const sca = (await client.transfer(await client.fundedWallet('ETH-SEPOLIA', 'SCA'))).data.id;
    const eoa = (await client.transfer(await client.fundedWallet())).data.id;
    expect(await endOf(client, sca)).toMatchObject({ state: 'FAILED', errorReason });
    expect(await client.transaction(eoa)).toMatchObject({ state: 'COMPLETE' });
  });
});

describe('a reorg', () => {
  test('reverts a transfer on both sides, but only before it is final', async () => {
    const client = await TestClient.open();
    const [from, to] = await client.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
    await client.fund(from!, { native: '5', USDC: '500' });
    const { id } = (await client.transfer(from!, { destinationAddress: to!.address })).data;
    const reorg = () => client.world.control.call('POST', `/transactions/${id}/reorg`);
    await expect(reorg()).rejects.toThrow('155229');
    await client.world.control.advance(14_000);
    expect(await client.transaction(id)).toMatchObject({ state: 'CONFIRMED' });
    expect(await client.balances(to!)).toEqual({ USDC: '1' });
    await reorg();
    const failed = await client.transaction(id);
    expect(failed).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_REORG' });
    expect(failed.blockHash).toBeNull();
    const { data } = await client.get(`/transactions?walletIds=${to!.id}&txType=INBOUND`);
    expect(data.transactions[0]).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_REORG' });
    await client.settle();
    expect(await client.balances(to!)).toEqual({});
    // A replacement with 21 000 gas at 13.5 gwei uses the nonce.
    expect(await client.balances(from!)).toEqual({ ETH: '4.9997165', USDC: '500' });
    await expect(reorg()).rejects.toThrow('155229');
    expect(await client.audit()).toMatchObject({ ok: true, problems: [] });
  });

  test('of an external deposit makes a transfer of these funds revert', async () => {
    const client = await TestClient.open();
    const wallet = await client.wallet();
    await client.fund(wallet, { native: '1' });
    await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId: USDC, amount: '7' });
    await client.world.control.advance(12_000);
    const [inbound] = (await client.get('/transactions?txType=INBOUND')).data.transactions;
    const onward = (await client.transfer(wallet, { amounts: ['7'] })).data.id;
    await client.world.control.call('POST', `/transactions/${inbound.id}/reorg`);
    expect(await endOf(client, onward)).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    expect((await client.balances(wallet)).USDC).toBeUndefined();

    await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId: USDC, amount: '7' });
    await client.world.control.advance(12_000);
    const [again] = (await client.get('/transactions?txType=INBOUND')).data.transactions;
    await client.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, { tokenId: USDC, amount: '5' });
    await expect(client.world.control.call('POST', `/transactions/${again.id}/reorg`)).rejects.toThrow('155229');
    expect(await client.audit()).toMatchObject({ ok: true, problems: [] });
  });
});

describe('smart-contract wallets', () => {
  test('are deployed by the first operation, and others wait or are rejected until it is in a block', async () => {
    const client = await TestClient.open();
    const [sca, eoa] = [await client.fundedWallet('ETH-SEPOLIA', 'SCA'), await client.fundedWallet()];
    const five = (wallet: { id: string; blockchain: string }) =>
      Promise.all(Array.from({ length: 5 }, () => client.transfer(wallet)));
    const codes = (await five(sca)).map(({ code }) => code);
    expect(codes.filter((code) => code === 155505)).toHaveLength(4);
    expect((await five(eoa)).map(({ status }) => status)).toEqual(Array(5).fill(201));
    await client.world.control.advance(1_000);
    expect(await client.transfer(sca)).toMatchObject({ status: 400, code: 155203 });
    await client.world.control.advance(13_000);
    expect((await five(sca)).map(({ status }) => status)).toEqual(Array(5).fill(201));
    await client.settle();
    const { data } = await client.get('/transactions?txType=OUTBOUND&pageSize=50');
    expect(data.transactions.map(({ state }: { state: string }) => state)).toEqual(Array(11).fill('COMPLETE'));
  });

  test('are deployed even if the first operation fails after it is sent', async () => {
    const client = await TestClient.open();
    const wallet = await client.fundedWallet('ETH-SEPOLIA', 'SCA');
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    const { id } = (await client.transfer(wallet)).data;
    await client.settle();
    expect(await client.transfer(wallet)).toMatchObject({ code: 155203 });
    await client.postWithKey(`/developer/transactions/${id}/cancel`);
    expect(await endOf(client, id)).toMatchObject({ state: 'CANCELLED' });
    expect(await client.transfer(wallet)).toMatchObject({ status: 201 });
  });

  test('are upgraded by a transaction and keep their address', async () => {
    const client = await TestClient.open({ scaCore: 'circle_4337_v1' });
    const wallet = await client.fundedWallet('ETH-SEPOLIA', 'SCA');
    const upgrade = () =>
      client.postWithKey('/developer/transactions/walletUpgrade', {
        walletId: wallet.id,
        newScaCore: upgradeTo,
        feeLevel: 'LOW',
      });
    expect(await upgrade()).toMatchObject({ code: 155514 });
    await client.transfer(wallet);
    await client.settle();
    const { status, data } = await upgrade();
    expect([status, data.state]).toEqual([201, 'INITIATED']);
    const coreOf = async () => (await client.get(`/wallets/${wallet.id}`)).data.wallet;
    expect(await coreOf()).toMatchObject({ scaCore: 'circle_4337_v1' });
    await client.settle();
    expect(await coreOf()).toMatchObject({ scaCore: upgradeTo, address: wallet.address });
    expect(await upgrade()).toMatchObject({ code: 155506 });
  });

  test('need a paymaster policy on a mainnet, which pays the gas', async () => {
    const client = await TestClient.open({}, 'live');
    const create = async () => {
      const { data } = await client.postWithKey('/developer/walletSets');
      const body = { walletSetId: data.walletSet.id, blockchains: ['ETH'], accountType: 'SCA' };
      return client.postWithKey('/developer/wallets', body);
    };
    expect(await create()).toMatchObject({ code: 155509 });
    await client.world.control.changeSettings({ paymasterPolicies: { ETH: null } });
    const wallet = (await create()).data.wallets[0];
    await client.fund(wallet, { USDC: '5' });
    const { id } = (await client.transfer(wallet)).data;
    expect(await endOf(client, id)).toMatchObject({ state: 'COMPLETE', networkFee: expect.any(String) });
    expect(await client.balances(wallet)).toEqual({ USDC: '4' });
  });

  test('cannot send or sign after their ownership was transferred', async () => {
    const client = await TestClient.open();
    const wallet = await client.fundedWallet('ETH-SEPOLIA', 'SCA');
    await client.transfer(wallet);
    await client.settle();
    await client.world.control.call('POST', `/wallets/${wallet.id}/transferOwnership`);
    expect(await client.transfer(wallet)).toMatchObject({ status: 404, code: 155512 });
    const sign = { walletId: wallet.id, message: 'hello' };
    expect(await client.postWithKey('/developer/sign/message', sign)).toMatchObject({ code: 155512 });
    expect((await client.get(`/wallets/${wallet.id}/balances`)).status).toBe(200);
  });
});

test('a nonce that is used outside the API delays the next transactions until it is final', async () => {
  const client = await TestClient.open();
  const wallet = await client.fundedWallet();
  const before = (await client.transfer(wallet)).data.id;
  await client.world.control.advance(2_000);
  await client.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, { tokenId: USDC, amount: '9' });
  expect(await client.transfer(wallet)).toMatchObject({ status: 400, code: 155202 });
  await client.settle();
  expect(await client.transaction(before)).toMatchObject({ state: 'COMPLETE' });
  expect(await client.transfer(wallet)).toMatchObject({ status: 201 });
  await client.settle();
  expect(await client.balances(wallet)).toMatchObject({ USDC: '489' });
  expect(await client.audit()).toMatchObject({ ok: true, problems: [] });
  await expect(
    client.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, { tokenId: USDC, amount: '490' }),
  ).rejects.toThrow('155201');
});

describe('the price of gas', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await TestClient.open({ eip1559: { 'AVAX-FUJI': false } });
  });

  test('can be set per unit and has three levels', async () => {
    const parameters = (query: string) => client.get(`/developer/transactions/feeParameters?${query}`);
    expect((await parameters('blockchain=ETH-SEPOLIA&accountType=EOA')).data).toEqual({
      low: { maxFee: '15.8', priorityFee: '0.8', baseFee: '12' },
      medium: { maxFee: '19', priorityFee: '1', baseFee: '12' },
      high: { maxFee: '25.5', priorityFee: '1.5', baseFee: '12' },
    });
    expect((await parameters('blockchain=AVAX-FUJI')).data.medium).toEqual({ gasPrice: '31.2' });
    expect(await parameters('blockchain=SOL-DEVNET')).toMatchObject({ code: 155510 });
    expect(await parameters('blockchain=ETH')).toMatchObject({ code: 156006 });
    expect(await parameters('accountType=EOA')).toMatchObject({ code: 2 });
  });

  test('decides about the transaction that all others of a wallet wait for', async () => {
    const wallet = await client.fundedWallet();
    const lowest = (query: string) => client.get(`/transactions/lowestNonceTransaction?${query}`);
    expect(await lowest(`walletId=${wallet.id}`)).toMatchObject({ status: 404, code: 156003 });
    const first = (await client.transfer(wallet)).data.id;
    await client.transfer(wallet);
    await client.world.control.advance(2_000);
    const { status, data } = await lowest(`walletId=${wallet.id}`);
    expect(status).toBe(200);
    expect(data.transaction).toMatchObject({ id: first, state: 'SENT' });
    expect(data.feeInfo).toEqual({
      newHighEstimatedFee: expect.objectContaining({ networkFee: '0.0016575' }),
      feeDifferenceAmount: '0.0004225',
    });
    const byAddress = await lowest(`address=${wallet.address}&blockchain=ETH-SEPOLIA`);
    expect(byAddress.data.transaction.id).toBe(first);
    expect(await lowest(`address=${wallet.address}`)).toMatchObject({ code: 156017 });
    expect(await lowest('')).toMatchObject({ code: 2 });
    expect(await lowest(`address=${STRANGER}&blockchain=ETH-SEPOLIA`)).toMatchObject({ code: 156001 });
  });
});

test('a Solana account holds at least the rent exemption, or nothing', async () => {
  const client = await TestClient.open();
  const [wallet, other] = await client.wallets({ blockchains: ['SOL-DEVNET'], count: 2 });
  await client.fund(wallet!, { native: '0.002' });
  const send = (amount: string) =>
    client.transfer(wallet!, {
      tokenId: token('SOL-DEVNET', 'native'),
      destinationAddress: other!.address,
      amounts: [amount],
    });
  expect(await send('0.0008')).toMatchObject({ code: 155257 });
  expect(await send('0.0015')).toMatchObject({ code: 155257 });
  // Everything except the fee of 0.000006.
  expect(await send('0.001994')).toMatchObject({ status: 201 });
  await client.settle();
  expect(await client.balances(wallet!)).toEqual({});
  expect(await send('0.001')).toMatchObject({ code: 155262 });
});

describe('webhooks', () => {
  test('report the documented states, which do not include STUCK', async () => {
    const client = await TestClient.open();
    const received: string[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        const { notification } = text ? JSON.parse(text) : {};
        if (notification?.transactionType === 'OUTBOUND') received.push(notification.state);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await client.send('POST', `${client.world.url}/v2/notifications/subscriptions`, { endpoint });
    const wallet = await client.fundedWallet();
    const plans = [{ deny: true }, { fail: { errorReason: 'FAILED_ON_CHAIN' } }, { stuck: true }];
    for (const plan of plans) await client.world.control.call('POST', '/transactions/next', plan);
    await client.transfer(wallet);
    await client.transfer(wallet);
    const { id } = (await client.transfer(wallet)).data;
    await client.settle();
    expect(await client.transaction(id)).toMatchObject({ state: 'STUCK' });
    await client.postWithKey(`/developer/transactions/${id}/cancel`);
    await client.settle();
    server.closeAllConnections();
    server.close();
    expect(received.toSorted()).toEqual(['CANCELLED', 'DENIED', 'FAILED', 'QUEUED', 'QUEUED', 'SENT', 'SENT']);
  });
});
