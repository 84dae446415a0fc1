import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient, token } from './support';

afterAll(closeOwnEmulator);

const ARC = 'ARC-TESTNET';
const USDC_CONTRACT = '0x3600000000000000000000000000000000000000';

interface Balance {
  amount: string;
  token: { isNative: boolean; symbol: string; decimals: number; tokenAddress?: string };
}

/** On Arc, USDC is the native token with 18 decimals. Its contract shows the same balance with 6. */
describe('USDC on Arc', () => {
  let client: TestClient;

  beforeAll(async () => {
    client = await TestClient.open();
  });

  async function walletWith(amount: string) {
    const wallet = await client.wallet(ARC);
    await client.fund(wallet, { native: amount });
    return wallet;
  }

  async function usdcOf({ id }: { id: string }) {
    const { data } = await client.get(`/wallets/${id}/balances?includeAll=true`);
    return (data.tokenBalances as Balance[]).map(({ amount, token: { isNative, symbol, decimals, tokenAddress } }) => ({
      amount,
      symbol,
      isNative,
      decimals,
      tokenAddress,
    }));
  }

  test('the balance is listed as the native token and as an ERC-20, which cuts what its decimals cannot show', async () => {
    const wallet = await walletWith('20.0000005');
    expect(await usdcOf(wallet)).toEqual([
      { amount: '20.0000005', symbol: 'USDC', isNative: true, decimals: 18, tokenAddress: null },
      { amount: '20', symbol: 'USDC', isNative: false, decimals: 6, tokenAddress: USDC_CONTRACT },
    ]);
    const listed = await client.get(`/developer/wallets/balances?blockchain=${ARC}&tokenAddress=${USDC_CONTRACT}`);
    expect(listed.data.wallets.find(({ id }: { id: string }) => id === wallet.id).tokenBalances[0].amount).toBe('20');
  });

  test('a deposit of either token arrives once', async () => {
    const wallet = await client.wallet(ARC);
    await client.fund(wallet, { native: '1', USDC: '2' });
    expect((await usdcOf(wallet)).map(({ amount }) => amount)).toEqual(['3', '3']);
    const { data } = await client.get(`/transactions?walletIds=${wallet.id}&txType=INBOUND`);
    expect(data.transactions).toHaveLength(2);
  });

  test('a transfer as an ERC-20 moves the native balance, with at most 6 decimals', async () => {
    const from = await walletWith('20');
    const to = await client.wallet(ARC);
    expect((await client.transfer(from, { amounts: ['1.0000001'], destinationAddress: to.address })).code).toBe(155221);
    const sent = await client.transfer(from, { amounts: ['1.5'], destinationAddress: to.address });
    await client.settle();
    const { state, networkFee, tokenId } = await client.transaction(sent.data.id);
    expect({ state, tokenId }).toEqual({ state: 'COMPLETE', tokenId: token(ARC, 'USDC') });
    expect((await usdcOf(to)).map(({ amount }) => amount)).toEqual(['1.5', '1.5']);
    const [native] = await usdcOf(from);
    expect(Number(native!.amount) + Number(networkFee)).toBeCloseTo(18.5, 12);
    expect(await client.audit()).toMatchObject({ ok: true });
  });

  test('the amount and the fee of a transfer are paid from one balance', async () => {
    const wallet = await walletWith('20');
    expect((await client.transfer(wallet, { amounts: ['20'] })).code).toBe(155201);
    expect((await client.transfer(wallet, { amounts: ['19.5'] })).status).toBe(201);
  });

  test('the contract moves the native balance and emits Transfer with 6 decimals', async () => {
    const wallet = await walletWith('20');
    const call = await client.postWithKey('/developer/transactions/contractExecution', {
      walletId: wallet.id,
      contractAddress: USDC_CONTRACT,
      abiFunctionSignature: 'transfer(address,uint256)',
      abiParameters: [STRANGER, '2500000'],
      feeLevel: 'MEDIUM',
    });
    await client.settle();
    expect((await client.transaction(call.data.id)).state).toBe('COMPLETE');
    const query = await client.send('POST', '/contracts/query', {
      blockchain: ARC,
      address: USDC_CONTRACT,
      abiFunctionSignature: 'balanceOf(address)',
      abiParameters: [STRANGER],
    });
    expect(BigInt(query.data.outputValues[0])).toBeGreaterThanOrEqual(2_500_000n);
    expect(await client.audit()).toMatchObject({ ok: true });
  });

  test('the faucet sends one deposit for the native token and USDC together', async () => {
    const wallet = await client.wallet(ARC);
    const drip = { blockchain: ARC, address: wallet.address, native: true, usdc: true };
    expect((await client.send('POST', '/faucet/drips', drip)).status).toBe(204);
    await client.settle();
    expect((await usdcOf(wallet)).map(({ amount }) => amount)).toEqual(['20', '20']);
  });
});
