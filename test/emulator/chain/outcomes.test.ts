import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER, token } from './support';

afterAll(closeOwnEmulator);

const [ETH, USDC] = [token('ETH-SEPOLIA', 'native'), token('ETH-SEPOLIA', 'USDC')];
const upgradeTo = 'circle_6900_singleowner_v2';

/** A transaction's end. */
async function endOf(chain: Chain, id: string) {
  await chain.settle();
  return chain.transaction(id);
}

describe('why transactions fail', () => {
  let chain: Chain;
  beforeEach(async () => {
    chain = await Chain.open();
  });
  afterEach(async () => {
    const { problems } = await chain.audit();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  const settings = (patch: object) => chain.world.control.changeSettings(patch);

  test.each([
    'ESTIMATION_ERROR',
    'ABI_SIGNATURE_PARAMS_MISMATCH',
    'GAS_LIMIT_TOO_LOW',
    'FAILED_ON_CHAIN',
    'INTERNAL_ERROR',
    'SOMETHING_NEW',
  ])('%s, when it is told to', async (errorReason) => {
    await chain.world.control.call('POST', '/transactions/next', { fail: { errorReason } });
    const { id } = (await chain.transfer(await chain.funded())).data;
    expect(await endOf(chain, id)).toMatchObject({ state: 'FAILED', errorReason });
  });

  test('INSUFFICIENT_NATIVE_TOKEN: the native tokens are spent past the API before it is sent', async () => {
    const wallet = await chain.funded();
    const { id } = (await chain.transfer(wallet)).data;
    await chain.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, { tokenId: ETH, amount: '4.999' });
    const failed = await endOf(chain, id);
    expect(failed).toMatchObject({ state: 'FAILED', errorReason: 'INSUFFICIENT_NATIVE_TOKEN' });
    expect(failed.txHash).toBeUndefined();
  });

  test('INSUFFICIENT_NATIVE_TOKEN and FAILED_ON_CHAIN: spent after it is sent', async () => {
    const [poor, bare] = [await chain.funded(), await chain.funded()];
    const first = (await chain.transfer(poor)).data.id;
    const second = (await chain.transfer(bare, { amounts: ['500'] })).data.id;
    await chain.world.control.advance(2_000);
    await chain.world.control.call('POST', `/wallets/${poor.id}/broadcast`, { tokenId: ETH, amount: '4.9997' });
    await chain.world.control.call('POST', `/wallets/${bare.id}/broadcast`, { tokenId: USDC, amount: '0.5' });
    const dropped = await endOf(chain, first);
    expect(dropped).toMatchObject({ errorReason: 'INSUFFICIENT_NATIVE_TOKEN', txHash: expect.any(String) });
    expect(dropped.blockHash).toBeUndefined();
    const reverted = await chain.transaction(second);
    expect(reverted).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN', blockHash: expect.any(String) });
    // 65 000 gas at 13 gwei of its own, 21 000 of the one past the API.
    expect(reverted.networkFee).toBe('0.000845');
    expect(await chain.balances(bare)).toEqual({ ETH: '4.998882', USDC: '499.5' });
  });

  test('FEE_EXCEEDS_MAX_ALLOWANCE: the most was lowered since', async () => {
    const { id } = (await chain.transfer(await chain.funded())).data;
    await settings({ maxFeeNative: '0.001' });
    expect(await endOf(chain, id)).toMatchObject({ state: 'FAILED', errorReason: 'FEE_EXCEEDS_MAX_ALLOWANCE' });
  });

  test('TRANSACTION_UNDER_PRICE: no node takes a tenth of the base fee', async () => {
    const fee = { feeLevel: undefined, gasLimit: '65000', maxFee: '1', priorityFee: '1' };
    const { id } = (await chain.transfer(await chain.funded(), fee)).data;
    expect(await endOf(chain, id)).toMatchObject({ state: 'FAILED', errorReason: 'TRANSACTION_UNDER_PRICE' });
  });

  test('QUERY_NFT_METADATA_ERROR: the metadata are gone', async () => {
    const wallet = await chain.funded();
    const tokenId = token('ETH-SEPOLIA', 'SCOL');
    await chain.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, nftTokenId: '1', amount: '1' });
    await chain.settle();
    const metadata = (text: string | null) =>
      chain.world.control.call('PUT', `/tokens/${tokenId}/metadata`, { metadata: text });
    await metadata('ipfs://sample');
    expect((await chain.get(`/wallets/${wallet.id}/nfts`)).data.nfts[0]).toMatchObject({ metadata: 'ipfs://sample' });
    const { id } = (await chain.transfer(wallet, { tokenId, nftTokenIds: ['1'] })).data;
    await metadata(null);
    expect(await endOf(chain, id)).toMatchObject({ state: 'FAILED', errorReason: 'QUERY_NFT_METADATA_ERROR' });
  });

  test.each([
    'PAYMASTER_POLICY_NOT_ACTIVATED',
    'PAYMASTER_POLICY_EXCEED_MAX_DAILY_TRANSACTIONS',
    'PAYMASTER_POLICY_EXCEED_MAX_SPEND_USD_PER_TX',
    'PAYMASTER_POLICY_EXCEED_MAX_SPEND_USD_DAILY',
    'PAYMASTER_POLICY_EXCEED_MAX_NATIVE_TOKEN_DAILY',
    'PAYMASTER_POLICY_SENDER_IN_BLOCKLIST',
    'PAYMASTER_ENTITY_RESTRICTION',
  ])('%s: of smart-contract wallets only', async (errorReason) => {
    await settings({ paymasterPolicies: { 'ETH-SEPOLIA': errorReason } });
    const sca = (await chain.transfer(await chain.funded('ETH-SEPOLIA', 'SCA'))).data.id;
    const eoa = (await chain.transfer(await chain.funded())).data.id;
    expect(await endOf(chain, sca)).toMatchObject({ state: 'FAILED', errorReason });
    expect(await chain.transaction(eoa)).toMatchObject({ state: 'COMPLETE' });
  });
});

describe('a reorg', () => {
  test('takes back what moved, on both sides; only before it is final', async () => {
    const chain = await Chain.open();
    const [from, to] = await chain.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
    await chain.fund(from!, { native: '5', USDC: '500' });
    const { id } = (await chain.transfer(from!, { destinationAddress: to!.address })).data;
    const reorg = () => chain.world.control.call('POST', `/transactions/${id}/reorg`);
    await expect(reorg()).rejects.toThrow('155229');
    await chain.world.control.advance(14_000);
    expect(await chain.transaction(id)).toMatchObject({ state: 'CONFIRMED' });
    expect(await chain.balances(to!)).toEqual({ USDC: '1' });
    await reorg();
    const failed = await chain.transaction(id);
    expect(failed).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_REORG' });
    expect(failed.blockHash).toBeUndefined();
    const { data } = await chain.get(`/transactions?walletIds=${to!.id}&txType=INBOUND`);
    expect(data.transactions[0]).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_REORG' });
    await chain.settle();
    expect(await chain.balances(to!)).toEqual({});
    // 21 000 gas at 13.5 gwei fill the nonce.
    expect(await chain.balances(from!)).toEqual({ ETH: '4.9997165', USDC: '500' });
    await expect(reorg()).rejects.toThrow('155229');
    expect(await chain.audit()).toMatchObject({ ok: true, problems: [] });
  });

  test('of what arrived from outside; what its recipient wanted to send on reverts', async () => {
    const chain = await Chain.open();
    const wallet = await chain.wallet();
    await chain.fund(wallet, { native: '1' });
    await chain.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId: USDC, amount: '7' });
    await chain.world.control.advance(12_000);
    const [inbound] = (await chain.get('/transactions?txType=INBOUND')).data.transactions;
    const onward = (await chain.transfer(wallet, { amounts: ['7'] })).data.id;
    await chain.world.control.call('POST', `/transactions/${inbound.id}/reorg`);
    expect(await endOf(chain, onward)).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    expect((await chain.balances(wallet)).USDC).toBeUndefined();

    await chain.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId: USDC, amount: '7' });
    await chain.world.control.advance(12_000);
    const [again] = (await chain.get('/transactions?txType=INBOUND')).data.transactions;
    await chain.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, { tokenId: USDC, amount: '5' });
    await expect(chain.world.control.call('POST', `/transactions/${again.id}/reorg`)).rejects.toThrow('155229');
    expect(await chain.audit()).toMatchObject({ ok: true, problems: [] });
  });
});

describe('smart-contract wallets', () => {
  test('one operation deploys; until it is in its block others wait or are refused (field case SB-03)', async () => {
    const chain = await Chain.open();
    const [sca, eoa] = [await chain.funded('ETH-SEPOLIA', 'SCA'), await chain.funded()];
    const five = (wallet: { id: string; blockchain: string }) =>
      Promise.all(Array.from({ length: 5 }, () => chain.transfer(wallet)));
    const codes = (await five(sca)).map(({ code }) => code);
    expect(codes.filter((code) => code === 155505)).toHaveLength(4);
    expect((await five(eoa)).map(({ status }) => status)).toEqual(Array(5).fill(201));
    await chain.world.control.advance(1_000);
    expect(await chain.transfer(sca)).toMatchObject({ status: 400, code: 155203 });
    await chain.world.control.advance(13_000);
    expect((await five(sca)).map(({ status }) => status)).toEqual(Array(5).fill(201));
    await chain.settle();
    const { data } = await chain.get('/transactions?txType=OUTBOUND&pageSize=50');
    expect(data.transactions.map(({ state }: { state: string }) => state)).toEqual(Array(11).fill('COMPLETE'));
  });

  test('a first operation that fails after it is sent has deployed the wallet', async () => {
    const chain = await Chain.open();
    const wallet = await chain.funded('ETH-SEPOLIA', 'SCA');
    await chain.world.control.call('POST', '/transactions/next', { stuck: true });
    const { id } = (await chain.transfer(wallet)).data;
    await chain.settle();
    expect(await chain.transfer(wallet)).toMatchObject({ code: 155203 });
    await chain.effect(`/developer/transactions/${id}/cancel`);
    expect(await endOf(chain, id)).toMatchObject({ state: 'CANCELLED' });
    expect(await chain.transfer(wallet)).toMatchObject({ status: 201 });
  });

  test('are upgraded by a transaction, and keep their address', async () => {
    const chain = await Chain.open({ scaCore: 'circle_4337_v1' });
    const wallet = await chain.funded('ETH-SEPOLIA', 'SCA');
    const upgrade = () =>
      chain.effect('/developer/transactions/walletUpgrade', {
        walletId: wallet.id,
        newScaCore: upgradeTo,
        feeLevel: 'LOW',
      });
    expect(await upgrade()).toMatchObject({ code: 155514 });
    await chain.transfer(wallet);
    await chain.settle();
    const { status, data } = await upgrade();
    expect([status, data.state]).toEqual([201, 'INITIATED']);
    const coreOf = async () => (await chain.get(`/wallets/${wallet.id}`)).data.wallet;
    expect(await coreOf()).toMatchObject({ scaCore: 'circle_4337_v1' });
    await chain.settle();
    expect(await coreOf()).toMatchObject({ scaCore: upgradeTo, address: wallet.address });
    expect(await upgrade()).toMatchObject({ code: 155506 });
  });

  test('on a mainnet: with a paymaster policy, which pays', async () => {
    const chain = await Chain.open({}, 'live');
    const create = async () => {
      const { data } = await chain.effect('/developer/walletSets');
      const body = { walletSetId: data.walletSet.id, blockchains: ['ETH'], accountType: 'SCA' };
      return chain.effect('/developer/wallets', body);
    };
    expect(await create()).toMatchObject({ code: 155509 });
    await chain.world.control.changeSettings({ paymasterPolicies: { ETH: null } });
    const wallet = (await create()).data.wallets[0];
    await chain.fund(wallet, { USDC: '5' });
    const { id } = (await chain.transfer(wallet)).data;
    expect(await endOf(chain, id)).toMatchObject({ state: 'COMPLETE', networkFee: expect.any(String) });
    expect(await chain.balances(wallet)).toEqual({ USDC: '4' });
  });

  test('whose owner is somebody else neither send nor sign', async () => {
    const chain = await Chain.open();
    const wallet = await chain.funded('ETH-SEPOLIA', 'SCA');
    await chain.transfer(wallet);
    await chain.settle();
    await chain.world.control.call('POST', `/wallets/${wallet.id}/transferOwnership`);
    expect(await chain.transfer(wallet)).toMatchObject({ status: 404, code: 155512 });
    const sign = { walletId: wallet.id, message: 'hello' };
    expect(await chain.effect('/developer/sign/message', sign)).toMatchObject({ code: 155512 });
    expect((await chain.get(`/wallets/${wallet.id}/balances`)).status).toBe(200);
  });
});

test('a nonce that is used past the API holds up the next ones, until it is final', async () => {
  const chain = await Chain.open();
  const wallet = await chain.funded();
  const before = (await chain.transfer(wallet)).data.id;
  await chain.world.control.advance(2_000);
  await chain.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, { tokenId: USDC, amount: '9' });
  expect(await chain.transfer(wallet)).toMatchObject({ status: 400, code: 155202 });
  await chain.settle();
  expect(await chain.transaction(before)).toMatchObject({ state: 'COMPLETE' });
  expect(await chain.transfer(wallet)).toMatchObject({ status: 201 });
  await chain.settle();
  expect(await chain.balances(wallet)).toMatchObject({ USDC: '489' });
  expect(await chain.audit()).toMatchObject({ ok: true, problems: [] });
  await expect(
    chain.world.control.call('POST', `/wallets/${wallet.id}/broadcast`, { tokenId: USDC, amount: '490' }),
  ).rejects.toThrow('155201');
});

describe('what gas costs', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await Chain.open({ eip1559: { 'AVAX-FUJI': false } });
  });

  test('by the unit, at three levels', async () => {
    const parameters = (query: string) => chain.get(`/developer/transactions/feeParameters?${query}`);
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

  test('of the transaction that all others of an address wait for', async () => {
    const wallet = await chain.funded();
    const lowest = (query: string) => chain.get(`/transactions/lowestNonceTransaction?${query}`);
    expect(await lowest(`walletId=${wallet.id}`)).toMatchObject({ status: 404, code: 156003 });
    const first = (await chain.transfer(wallet)).data.id;
    await chain.transfer(wallet);
    await chain.world.control.advance(2_000);
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

test('Solana accounts hold the rent exemption or nothing', async () => {
  const chain = await Chain.open();
  const [wallet, other] = await chain.wallets({ blockchains: ['SOL-DEVNET'], count: 2 });
  await chain.fund(wallet!, { native: '0.002' });
  const send = (amount: string) =>
    chain.transfer(wallet!, {
      tokenId: token('SOL-DEVNET', 'native'),
      destinationAddress: other!.address,
      amounts: [amount],
    });
  expect(await send('0.0008')).toMatchObject({ code: 155257 });
  expect(await send('0.0015')).toMatchObject({ code: 155257 });
  // All but the fee of 0.000006.
  expect(await send('0.001994')).toMatchObject({ status: 201 });
  await chain.settle();
  expect(await chain.balances(wallet!)).toEqual({});
  expect(await send('0.001')).toMatchObject({ code: 155262 });
});

describe('webhooks', () => {
  test('tell of the states that the API tells of; STUCK is none of them', async () => {
    const chain = await Chain.open();
    const heard: string[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        const { notification } = text ? JSON.parse(text) : {};
        if (notification?.transactionType === 'OUTBOUND') heard.push(notification.state);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await chain.send('POST', `${chain.world.url}/v2/notifications/subscriptions`, { endpoint });
    const wallet = await chain.funded();
    const plans = [{ deny: true }, { fail: { errorReason: 'FAILED_ON_CHAIN' } }, { stuck: true }];
    for (const plan of plans) await chain.world.control.call('POST', '/transactions/next', plan);
    await chain.transfer(wallet);
    await chain.transfer(wallet);
    const { id } = (await chain.transfer(wallet)).data;
    await chain.settle();
    expect(await chain.transaction(id)).toMatchObject({ state: 'STUCK' });
    await chain.effect(`/developer/transactions/${id}/cancel`);
    await chain.settle();
    server.closeAllConnections();
    server.close();
    expect(heard.toSorted()).toEqual(['CANCELLED', 'DENIED', 'FAILED', 'QUEUED', 'QUEUED', 'SENT', 'SENT']);
  });
});
