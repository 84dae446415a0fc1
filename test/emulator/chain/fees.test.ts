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
