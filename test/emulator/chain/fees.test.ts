import { closeOwnEmulator } from '../../support/emulator';
import { TestClient, token } from './support';

afterAll(closeOwnEmulator);

/** Gas of an ERC-20 transfer in the emulator. */
const GAS = '65000';

describe('allowed combinations of fee fields', () => {
  let client: TestClient;
  let eoa: { id: string; blockchain: string };
  let sca: { id: string; blockchain: string };
  let legacy: { id: string; blockchain: string };
  beforeAll(async () => {
    client = await TestClient.open({ eip1559: { 'AVAX-FUJI': false } });
    eoa = await client.wallet();
    sca = await client.wallet('ETH-SEPOLIA', 'SCA');
    legacy = await client.wallet('AVAX-FUJI');
    await client.fund(eoa, { native: '9', USDC: '99' });
    await client.fund(sca, { USDC: '99' });
    await client.fund(legacy, { native: '9', USDC: '99' });
  });

  const none = { feeLevel: undefined };
  test.each<[string, number, object]>([
    ['nothing', 155231, none],
    ['a level and a price', 155234, { maxFee: '30' }],
    ['a gas limit alone', 155235, { ...none, gasLimit: GAS }],
    ['a gas limit without the tip', 155235, { ...none, gasLimit: GAS, maxFee: '30' }],
    ['a tip above the price', 155237, { ...none, gasLimit: GAS, maxFee: '1', priorityFee: '2' }],
    ['a gas limit below the estimate', 155233, { gasLimit: '64999' }],
    ['a price that is not a decimal', 155236, { ...none, gasLimit: GAS, maxFee: 'abc', priorityFee: '1' }],
    ['half a unit of gas', 155236, { gasLimit: '65000.5' }],
    // 100 000 gas × 10 000 gwei = 1 native token.
    ['a little above the maximum', 155211, { ...none, gasLimit: '100001', maxFee: '10000', priorityFee: '1' }],
  ])('EOA: %s is rejected with %d', async (_case, code, fee) => {
    expect(await client.transfer(eoa, fee)).toMatchObject({ status: 400, code });
  });

  test.each<[string, object]>([
    ['a level', {}],
    ['a level and a gas limit', { gasLimit: '70000' }],
    ['numbers', { ...none, gasLimit: 65000, maxFee: 30, priorityFee: 1.5 }],
    ['exactly the maximum', { ...none, gasLimit: '100000', maxFee: '10000', priorityFee: '1' }],
  ])('EOA: %s is accepted', async (_case, fee) => {
    expect(await client.transfer(eoa, fee)).toMatchObject({ status: 201 });
  });

  test('SCA: only a fee level is accepted', async () => {
    expect(await client.transfer(sca, { ...none, gasLimit: '400000' })).toMatchObject({ code: 155232 });
    expect(await client.transfer(sca, { gasLimit: '400000' })).toMatchObject({ code: 155234 });
    expect(await client.transfer(sca)).toMatchObject({ status: 201 });
  });

  test('a blockchain without EIP-1559 takes a gas price', async () => {
    const custom = { ...none, gasLimit: GAS };
    expect(await client.transfer(legacy, { ...custom, maxFee: '30', priorityFee: '1' })).toMatchObject({
      code: 155238,
    });
    expect(await client.transfer(legacy, { ...custom, maxFee: '30', gasPrice: '30' })).toMatchObject({ code: 155254 });
    expect(await client.transfer(legacy, { ...custom, gasPrice: '30' })).toMatchObject({ status: 201 });
  });

  test.each<object>([{ maxFee: '30', priorityFee: '1' }, { maxFee: '30' }, { priorityFee: '1' }])(
    'a gas price beside %j is refused, with a message that names the fields',
    async (fee) => {
      const { body } = await client.transfer(eoa, { ...none, gasLimit: GAS, gasPrice: '30', ...fee });
      expect(body).toMatchObject({ code: 2, message: expect.stringMatching(/gasPrice.*maxFee or priorityFee/) });
    },
  );

  test('a fee with more decimals than gwei have is refused, with a message that says so', async () => {
    const fee = { ...none, gasLimit: GAS, maxFee: '30.0000000001', priorityFee: '1' };
    const { body } = await client.transfer(eoa, fee);
    expect(body).toMatchObject({ code: 155236, message: 'maxFee has 10 decimals, but gwei have 9' });
  });

  test('the maximum fee is a setting', async () => {
    await client.world.control.changeSettings({ maxFeeNative: '0.001' });
    expect(await client.transfer(eoa)).toMatchObject({ code: 155211 });
    await client.world.control.changeSettings({ maxFeeNative: '1' });
  });
});

test('a transaction that offers less than the base fee is stuck until acceleration raises its fee', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '1', USDC: '5' });
  const { data } = await client.transfer(wallet, { feeLevel: undefined, gasLimit: GAS, maxFee: '5', priorityFee: '1' });
  await client.settle();
  expect(await client.transaction(data.id)).toMatchObject({ state: 'STUCK' });
  expect(await client.postWithKey(`/developer/transactions/${data.id}/accelerate`)).toMatchObject({
    data: { id: data.id },
  });
  await client.settle();
  expect(await client.transaction(data.id)).toMatchObject({ state: 'COMPLETE', feeLevel: 'HIGH' });
  expect(await client.audit()).toMatchObject({ ok: true });
});

describe('accelerating', () => {
  /** Makes a wallet with a stuck transaction. */
  async function stuck(client: TestClient, wallet: { id: string; blockchain: string }, body: object = {}) {
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    const { data } = await client.transfer(wallet, body);
    await client.settle();
    expect(await client.transaction(data.id)).toMatchObject({ state: 'STUCK' });
    return data.id as string;
  }
  /** Accelerates the transaction so that it is stuck again. @returns its fee after that */
  async function accelerated(client: TestClient, id: string) {
    expect(await client.postWithKey(`/developer/transactions/${id}/accelerate`)).toMatchObject({ status: 201 });
    await client.world.control.call('POST', `/transactions/${id}/stick`);
    return (await client.transaction(id)).estimatedFee;
  }
  const quoted = async (client: TestClient, { id }: { id: string }) =>
    (await client.get(`/transactions/lowestNonceTransaction?walletId=${id}`)).data.feeInfo;

  test('raises price and tip to level HIGH, then by a tenth each time, as its quote says', async () => {
    const client = await TestClient.open();
    const wallet = await client.fundedWallet();
    const id = await stuck(client, wallet);
    const offers = [
      { maxFee: '25.5', priorityFee: '1.5', networkFee: '0.0016575', networkFeeRaw: '0.0008775' },
      { maxFee: '28.05', priorityFee: '1.65', networkFee: '0.00182325', networkFeeRaw: '0.00088725' },
      { maxFee: '30.855', priorityFee: '1.815', networkFee: '0.002005575', networkFeeRaw: '0.000897975' },
    ];
    const differences = ['0.0004225', '0.00016575', '0.000182325'];
    for (const [n, offer] of offers.entries()) {
      const { newHighEstimatedFee, feeDifferenceAmount } = await quoted(client, wallet);
      expect(newHighEstimatedFee).toMatchObject({ ...offer, gasLimit: GAS, baseFee: '12' });
      expect(feeDifferenceAmount).toBe(differences[n]);
      expect(await accelerated(client, id)).toEqual(newHighEstimatedFee);
    }
    await client.postWithKey(`/developer/transactions/${id}/accelerate`);
    await client.settle();
    expect(await client.transaction(id)).toMatchObject({
      state: 'COMPLETE',
      feeLevel: 'HIGH',
      networkFee: '0.0009097725',
    });
    expect(await client.audit()).toMatchObject({ ok: true });
  });

  test('raises an offer above HIGH from its own value, even without a tip', async () => {
    const client = await TestClient.open();
    const wallet = await client.fundedWallet();
    const custom = { feeLevel: undefined, gasLimit: GAS, maxFee: '100.000000001', priorityFee: '0' };
    const id = await stuck(client, wallet, custom);
    // Rounded up to at least a tenth more.
    expect(await accelerated(client, id)).toMatchObject({ maxFee: '110.000000002', priorityFee: '1.5' });
  });

  test('raises the gas price on a blockchain without EIP-1559', async () => {
    const client = await TestClient.open({ eip1559: { 'AVAX-FUJI': false } });
    const wallet = await client.fundedWallet('AVAX-FUJI');
    const id = await stuck(client, wallet);
    expect(await accelerated(client, id)).toEqual({
      gasLimit: GAS,
      gasPrice: '39',
      networkFee: '0.002535',
      networkFeeRaw: '0.002535',
    });
    const { newHighEstimatedFee } = await quoted(client, wallet);
    expect(newHighEstimatedFee).toMatchObject({ gasPrice: '42.9', networkFee: '0.0027885' });
    expect(await accelerated(client, id)).toEqual(newHighEstimatedFee);
  });

  test('raises the fee of a user operation for all of its gas, although a paymaster pays', async () => {
    const client = await TestClient.open();
    const wallet = await client.wallet('ETH-SEPOLIA', 'SCA');
    await client.fund(wallet, { USDC: '5' });
    const id = await stuck(client, wallet);
    const gasLimit = '215000';
    expect(await accelerated(client, id)).toMatchObject({ gasLimit, maxFee: '25.5', networkFee: '0.0054825' });
    expect(await accelerated(client, id)).toMatchObject({ gasLimit, maxFee: '28.05', networkFee: '0.00603075' });
  });

  test('is rejected if the fee would exceed the maximum, and changes nothing', async () => {
    const client = await TestClient.open({ maxFeeNative: '0.0019' });
    const wallet = await client.fundedWallet();
    const id = await stuck(client, wallet);
    await accelerated(client, id);
    const last = await accelerated(client, id);
    expect(last).toMatchObject({ networkFee: '0.00182325' });
    expect(await client.postWithKey(`/developer/transactions/${id}/accelerate`)).toMatchObject({
      status: 400,
      code: 155211,
    });
    expect((await client.transaction(id)).estimatedFee).toEqual(last);
  });

  test('is rejected on blockchains without gas', async () => {
    const client = await TestClient.open();
    const wallet = await client.fundedWallet('SOL-DEVNET');
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    const { data } = await client.transfer(wallet, { destinationAddress: (await client.wallet('SOL-DEVNET')).address });
    await client.settle();
    expect(await client.postWithKey(`/developer/transactions/${data.id}/accelerate`)).toMatchObject({ code: 155215 });
  });
});

describe('estimates', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await TestClient.open();
  });
  const estimate = (wallet: { id: string; blockchain: string }, amount = '1', symbol = 'USDC') =>
    client.send('POST', '/transactions/transfer/estimateFee', {
      walletId: wallet.id,
      tokenId: token(wallet.blockchain, symbol),
      destinationAddress: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      amounts: [amount],
    });

  test('have three levels with their maximum fees', async () => {
    const wallet = await client.wallet();
    await client.fund(wallet, { native: '1', USDC: '5' });
    const { status, data } = await estimate(wallet);
    expect(status).toBe(200);
    expect(data).toEqual({
      low: expect.objectContaining({ gasLimit: GAS, maxFee: '15.8', priorityFee: '0.8', networkFee: '0.001027' }),
      medium: expect.objectContaining({ maxFee: '19', priorityFee: '1', baseFee: '12', networkFee: '0.001235' }),
      high: expect.objectContaining({ maxFee: '25.5', priorityFee: '1.5', networkFee: '0.0016575' }),
    });
    expect(await estimate(wallet, '6')).toMatchObject({ code: 155205 });
    expect(await estimate(wallet, '1', 'native')).toMatchObject({ code: 155204 });
  });

  test('for a smart-contract wallet on a testnet need no native tokens', async () => {
    const wallet = await client.wallet('ETH-SEPOLIA', 'SCA');
    await client.fund(wallet, { USDC: '5' });
    const { data } = await estimate(wallet);
    expect(data).toMatchObject({
      callGasLimit: GAS,
      verificationGasLimit: '100000',
      preVerificationGas: '50000',
      high: { gasLimit: '215000' },
    });
  });

  test('on other blockchain families are a flat fee', async () => {
    const wallet = await client.wallet('SOL-DEVNET');
    await client.fund(wallet, { native: '1', USDC: '5' });
    const { data } = await client.send('POST', '/transactions/transfer/estimateFee', {
      walletId: wallet.id,
      tokenId: token('SOL-DEVNET', 'USDC'),
      destinationAddress: 'So11111111111111111111111111111111111111112',
      amounts: ['1'],
    });
    expect(data.medium).toEqual({ networkFee: '0.000006', networkFeeRaw: '0.000006' });
  });

  test('of a deployment depend on the size of the code', async () => {
    const wallet = await client.wallet();
    await client.fund(wallet, { native: '1' });
    const body = { walletId: wallet.id };
    const path = '/transactions/contractDeployment/estimateFee';
    expect(await client.send('POST', path, body)).toMatchObject({ code: 155243 });
    expect(await client.send('POST', path, { ...body, bytecode: '0x6001' })).toMatchObject({
      data: { low: { gasLimit: '100400' } },
    });
    const solana = await client.wallet('SOL-DEVNET');
    expect(await client.send('POST', path, { walletId: solana.id, bytecode: '0x6001' })).toMatchObject({
      code: 155510,
    });
  });
});

test('a transaction is rejected if its fee cannot be paid, even if the funds are only reserved', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '0.002', USDC: '5' });
  expect(await client.transfer(wallet, { amounts: ['3'] })).toMatchObject({ status: 201 });
  // USDC would suffice, but 0.001235 of 0.002 native are reserved for the first transaction's fee.
  expect(await client.transfer(wallet, { amounts: ['1'] })).toMatchObject({ code: 155201 });
  await client.settle();
  expect(await client.balances(wallet)).toEqual({ ETH: '0.001155', USDC: '2' });
});
