import { closeOwnEmulator } from '../../support/emulator';
import { Chain, token } from './support';

afterAll(closeOwnEmulator);

/** Gas of an ERC-20 transfer in the emulator. */
const GAS = '65000';

describe('the fee matrix (field case SB-08)', () => {
  let chain: Chain;
  let eoa: { id: string; blockchain: string };
  let sca: { id: string; blockchain: string };
  let legacy: { id: string; blockchain: string };
  beforeAll(async () => {
    chain = await Chain.open({ eip1559: { 'AVAX-FUJI': false } });
    eoa = await chain.wallet();
    sca = await chain.wallet('ETH-SEPOLIA', 'SCA');
    legacy = await chain.wallet('AVAX-FUJI');
    await chain.fund(eoa, { native: '9', USDC: '99' });
    await chain.fund(sca, { USDC: '99' });
    await chain.fund(legacy, { native: '9', USDC: '99' });
  });

  const none = { feeLevel: undefined };
  test.each<[string, number, object]>([
    ['nothing', 155231, none],
    ['a level and a price', 155234, { maxFee: '30' }],
    ['a gas limit alone', 155235, { ...none, gasLimit: GAS }],
    ['a gas limit without the tip', 155235, { ...none, gasLimit: GAS, maxFee: '30' }],
    ['a tip above the price', 155237, { ...none, gasLimit: GAS, maxFee: '1', priorityFee: '2' }],
    ['a gas limit below the estimate', 155233, { gasLimit: '64999' }],
    ['a price that is no decimal', 155236, { ...none, gasLimit: GAS, maxFee: 'abc', priorityFee: '1' }],
    ['half a unit of gas', 155236, { gasLimit: '65000.5' }],
    // 100 000 gas × 10 000 gwei = 1 native token.
    ['a little above the most', 155211, { ...none, gasLimit: '100001', maxFee: '10000', priorityFee: '1' }],
  ])('EOA, %s: %d', async (_what, code, fee) => {
    expect(await chain.transfer(eoa, fee)).toMatchObject({ status: 400, code });
  });

  test.each<[string, object]>([
    ['a level', {}],
    ['a level and a gas limit', { gasLimit: '70000' }],
    ['numbers', { ...none, gasLimit: 65000, maxFee: 30, priorityFee: 1.5 }],
    ['exactly the most', { ...none, gasLimit: '100000', maxFee: '10000', priorityFee: '1' }],
  ])('EOA, %s: accepted', async (_what, fee) => {
    expect(await chain.transfer(eoa, fee)).toMatchObject({ status: 201 });
  });

  test('SCA: a level and nothing else', async () => {
    expect(await chain.transfer(sca, { ...none, gasLimit: '400000' })).toMatchObject({ code: 155232 });
    expect(await chain.transfer(sca, { gasLimit: '400000' })).toMatchObject({ code: 155234 });
    expect(await chain.transfer(sca)).toMatchObject({ status: 201 });
  });

  test('a blockchain without EIP-1559: a gas price', async () => {
    const custom = { ...none, gasLimit: GAS };
    expect(await chain.transfer(legacy, { ...custom, maxFee: '30', priorityFee: '1' })).toMatchObject({ code: 155238 });
    expect(await chain.transfer(legacy, { ...custom, maxFee: '30', gasPrice: '30' })).toMatchObject({ code: 155254 });
    expect(await chain.transfer(legacy, { ...custom, gasPrice: '30' })).toMatchObject({ status: 201 });
  });

  test('the most is a setting', async () => {
    await chain.world.control.changeSettings({ maxFeeNative: '0.001' });
    expect(await chain.transfer(eoa)).toMatchObject({ code: 155211 });
    await chain.world.control.changeSettings({ maxFeeNative: '1' });
  });
});

test('what offers less than the base fee is stuck; accelerating pays what is needed', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1', USDC: '5' });
  const { data } = await chain.transfer(wallet, { feeLevel: undefined, gasLimit: GAS, maxFee: '5', priorityFee: '1' });
  await chain.settle();
  expect(await chain.transaction(data.id)).toMatchObject({ state: 'STUCK' });
  expect(await chain.effect(`/developer/transactions/${data.id}/accelerate`)).toMatchObject({ data: { id: data.id } });
  await chain.settle();
  expect(await chain.transaction(data.id)).toMatchObject({ state: 'COMPLETE', feeLevel: 'HIGH' });
  expect(await chain.audit()).toMatchObject({ ok: true });
});

describe('accelerating', () => {
  /** A wallet and its transaction, which is stuck. */
  async function stuck(chain: Chain, wallet: { id: string; blockchain: string }, body: object = {}) {
    await chain.world.control.call('POST', '/transactions/next', { stuck: true });
    const { data } = await chain.transfer(wallet, body);
    await chain.settle();
    expect(await chain.transaction(data.id)).toMatchObject({ state: 'STUCK' });
    return data.id as string;
  }
  /** Accelerates it, while it would be stuck again, and gives its fee after that. */
  async function accelerated(chain: Chain, id: string) {
    expect(await chain.effect(`/developer/transactions/${id}/accelerate`)).toMatchObject({ status: 201 });
    await chain.world.control.call('POST', `/transactions/${id}/stick`);
    return (await chain.transaction(id)).estimatedFee;
  }
  const quoted = async (chain: Chain, { id }: { id: string }) =>
    (await chain.get(`/transactions/lowestNonceTransaction?walletId=${id}`)).data.feeInfo;

  test('raises price and tip by a tenth each time, once they are those of HIGH; the quote says so before', async () => {
    const chain = await Chain.open();
    const wallet = await chain.funded();
    const id = await stuck(chain, wallet);
    const offers = [
      { maxFee: '25.5', priorityFee: '1.5', networkFee: '0.0016575', networkFeeRaw: '0.0008775' },
      { maxFee: '28.05', priorityFee: '1.65', networkFee: '0.00182325', networkFeeRaw: '0.00088725' },
      { maxFee: '30.855', priorityFee: '1.815', networkFee: '0.002005575', networkFeeRaw: '0.000897975' },
    ];
    const differences = ['0.0004225', '0.00016575', '0.000182325'];
    for (const [n, offer] of offers.entries()) {
      const { newHighEstimatedFee, feeDifferenceAmount } = await quoted(chain, wallet);
      expect(newHighEstimatedFee).toMatchObject({ ...offer, gasLimit: GAS, baseFee: '12' });
      expect(feeDifferenceAmount).toBe(differences[n]);
      expect(await accelerated(chain, id)).toEqual(newHighEstimatedFee);
    }
    await chain.effect(`/developer/transactions/${id}/accelerate`);
    await chain.settle();
    expect(await chain.transaction(id)).toMatchObject({
      state: 'COMPLETE',
      feeLevel: 'HIGH',
      networkFee: '0.0009097725',
    });
    expect(await chain.audit()).toMatchObject({ ok: true });
  });

  test('a large offer, of more than HIGH, is raised from where it is, without a tip too', async () => {
    const chain = await Chain.open();
    const wallet = await chain.funded();
    const custom = { feeLevel: undefined, gasLimit: GAS, maxFee: '100.000000001', priorityFee: '0' };
    const id = await stuck(chain, wallet, custom);
    // Rounded up: a tenth more at the least.
    expect(await accelerated(chain, id)).toMatchObject({ maxFee: '110.000000002', priorityFee: '1.5' });
  });

  test('a blockchain without EIP-1559: the gas price', async () => {
    const chain = await Chain.open({ eip1559: { 'AVAX-FUJI': false } });
    const wallet = await chain.funded('AVAX-FUJI');
    const id = await stuck(chain, wallet);
    expect(await accelerated(chain, id)).toEqual({
      gasLimit: GAS,
      gasPrice: '39',
      networkFee: '0.002535',
      networkFeeRaw: '0.002535',
    });
    const { newHighEstimatedFee } = await quoted(chain, wallet);
    expect(newHighEstimatedFee).toMatchObject({ gasPrice: '42.9', networkFee: '0.0027885' });
    expect(await accelerated(chain, id)).toEqual(newHighEstimatedFee);
  });

  test('a user operation: for all of its gas, though somebody else pays', async () => {
    const chain = await Chain.open();
    const wallet = await chain.wallet('ETH-SEPOLIA', 'SCA');
    await chain.fund(wallet, { USDC: '5' });
    const id = await stuck(chain, wallet);
    const gasLimit = '215000';
    expect(await accelerated(chain, id)).toMatchObject({ gasLimit, maxFee: '25.5', networkFee: '0.0054825' });
    expect(await accelerated(chain, id)).toMatchObject({ gasLimit, maxFee: '28.05', networkFee: '0.00603075' });
  });

  test('ends where the fee would be above the most, and nothing changes by that', async () => {
    const chain = await Chain.open({ maxFeeNative: '0.0019' });
    const wallet = await chain.funded();
    const id = await stuck(chain, wallet);
    await accelerated(chain, id);
    const last = await accelerated(chain, id);
    expect(last).toMatchObject({ networkFee: '0.00182325' });
    expect(await chain.effect(`/developer/transactions/${id}/accelerate`)).toMatchObject({ status: 400, code: 155211 });
    expect((await chain.transaction(id)).estimatedFee).toEqual(last);
  });

  test('other families have no gas to pay more for', async () => {
    const chain = await Chain.open();
    const wallet = await chain.funded('SOL-DEVNET');
    await chain.world.control.call('POST', '/transactions/next', { stuck: true });
    const { data } = await chain.transfer(wallet, { destinationAddress: (await chain.wallet('SOL-DEVNET')).address });
    await chain.settle();
    expect(await chain.effect(`/developer/transactions/${data.id}/accelerate`)).toMatchObject({ code: 155215 });
  });
});

describe('estimates', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await Chain.open();
  });
  const estimate = (wallet: { id: string; blockchain: string }, amount = '1', symbol = 'USDC') =>
    chain.send('POST', '/transactions/transfer/estimateFee', {
      walletId: wallet.id,
      tokenId: token(wallet.blockchain, symbol),
      destinationAddress: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      amounts: [amount],
    });

  test('three levels, each with its most', async () => {
    const wallet = await chain.wallet();
    await chain.fund(wallet, { native: '1', USDC: '5' });
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

  test('a smart-contract wallet on a testnet needs no native tokens', async () => {
    const wallet = await chain.wallet('ETH-SEPOLIA', 'SCA');
    await chain.fund(wallet, { USDC: '5' });
    const { data } = await estimate(wallet);
    expect(data).toMatchObject({
      callGasLimit: GAS,
      verificationGasLimit: '100000',
      preVerificationGas: '50000',
      high: { gasLimit: '215000' },
    });
  });

  test('other families charge a flat fee', async () => {
    const wallet = await chain.wallet('SOL-DEVNET');
    await chain.fund(wallet, { native: '1', USDC: '5' });
    const { data } = await chain.send('POST', '/transactions/transfer/estimateFee', {
      walletId: wallet.id,
      tokenId: token('SOL-DEVNET', 'USDC'),
      destinationAddress: 'So11111111111111111111111111111111111111112',
      amounts: ['1'],
    });
    expect(data.medium).toEqual({ networkFee: '0.000006', networkFeeRaw: '0.000006' });
  });

  test('of a deployment: by the size of the code', async () => {
    const wallet = await chain.wallet();
    await chain.fund(wallet, { native: '1' });
    const body = { walletId: wallet.id };
    const path = '/transactions/contractDeployment/estimateFee';
    expect(await chain.send('POST', path, body)).toMatchObject({ code: 155243 });
    expect(await chain.send('POST', path, { ...body, bytecode: '0x6001' })).toMatchObject({
      data: { low: { gasLimit: '100400' } },
    });
    const solana = await chain.wallet('SOL-DEVNET');
    expect(await chain.send('POST', path, { walletId: solana.id, bytecode: '0x6001' })).toMatchObject({ code: 155510 });
  });
});

test('what cannot be paid is refused before anything happens, also when the money is only set apart', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '0.002', USDC: '5' });
  expect(await chain.transfer(wallet, { amounts: ['3'] })).toMatchObject({ status: 201 });
  // USDC would do, but 0.001235 of 0.002 native are set apart for the first one's fee.
  expect(await chain.transfer(wallet, { amounts: ['1'] })).toMatchObject({ code: 155201 });
  await chain.settle();
  expect(await chain.balances(wallet)).toEqual({ ETH: '0.001155', USDC: '2' });
});
