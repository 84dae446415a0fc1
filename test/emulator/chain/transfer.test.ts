import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient, token } from './support';

afterAll(closeOwnEmulator);

test.each([['.01'], [0.01]])('an amount written as %j is sent', async (amount) => {
  const client = await TestClient.open();
  const wallet = await client.fundedWallet();
  expect(await client.transfer(wallet, { amounts: [amount] })).toMatchObject({ status: 201 });
  await client.settle();
  expect(await client.balances(wallet)).toMatchObject({ USDC: '499.99' });
});

test('a transfer from a wallet that the faucet funded completes', async () => {
  const client = await TestClient.open();
  const [from, to] = await client.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
  const drip = await client.send('POST', '/faucet/drips', {
    address: from!.address,
    blockchain: 'ETH-SEPOLIA',
    usdc: true,
    native: true,
  });
  expect(drip.status).toBe(204);
  expect(await client.balances(from!)).toEqual({});
  await client.settle();
  expect(await client.balances(from!)).toEqual({ ETH: '0.2', USDC: '20' });

  const sent = await client.transfer(from!, {
    destinationAddress: to!.address,
    amounts: ['1.000001'],
    refId: 'invoice-7',
  });
  expect(sent).toMatchObject({ status: 201, data: { state: 'INITIATED' } });
  const { id } = sent.data;

  const seen: string[] = [];
  for (let n = 0; n < 400 && seen.at(-1) !== 'COMPLETE'; n++) {
    const { state } = await client.transaction(id);
    if (state !== seen.at(-1)) seen.push(state);
    await client.world.control.advance(state === 'CONFIRMED' || state === 'SENT' ? 12_000 : 100);
  }
  expect(seen).toEqual(['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE']);
  const outbound = await client.transaction(id);
  expect(outbound).toMatchObject({
    transactionType: 'OUTBOUND',
    operation: 'TRANSFER',
    walletId: from!.id,
    sourceAddress: from!.address,
    destinationAddress: to!.address,
    amounts: ['1.000001'],
    tokenId: token('ETH-SEPOLIA', 'USDC'),
    refId: 'invoice-7',
    feeLevel: 'MEDIUM',
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    blockHeight: expect.any(Number),
    firstConfirmDate: expect.any(String),
    networkFee: '0.000845',
  });
  // 65 000 gas at no more than 19 gwei (12 × 150 % + 1), actually 13.
  expect(outbound.estimatedFee).toMatchObject({ gasLimit: '65000', maxFee: '19', networkFee: '0.001235' });
  expect(await client.balances(from!)).toEqual({ ETH: '0.199155', USDC: '18.999999' });
  expect(await client.balances(to!)).toEqual({ USDC: '1.000001' });

  const { data } = await client.get(`/transactions?walletIds=${to!.id}&txType=INBOUND`);
  expect(data.transactions).toEqual([
    expect.objectContaining({
      state: 'COMPLETE',
      txHash: outbound.txHash,
      blockHash: outbound.blockHash,
      amounts: ['1.000001'],
      sourceAddress: from!.address,
    }),
  ]);
  expect(await client.audit()).toMatchObject({ ok: true, problems: [] });
});

test('a source can be given by its address with or without checksum', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '1', USDC: '5' });
  const { blockchain, address } = wallet;
  for (const field of ['sourceAddress', 'walletAddress']) {
    const sent = await client.transfer(wallet, { walletId: undefined, [field]: address.toLowerCase(), blockchain });
    expect(sent.status).toBe(201);
  }
});

describe('rejected transfers', () => {
  let client: TestClient;
  let wallet: { id: string; address: string; blockchain: string };
  beforeAll(async () => {
    client = await TestClient.open();
    wallet = await client.wallet();
    await client.fund(wallet, { native: '0.01', USDC: '5' });
  });

  test.each<[string, number, object]>([
    ['an unknown wallet', 156001, { walletId: '00000000-0000-4000-8000-000000000000' }],
    ["another blockchain than the wallet's", 155225, { blockchain: 'AVAX-FUJI' }],
    ['an invalid source address', 155226, { walletId: undefined, sourceAddress: '0x12', blockchain: 'ETH-SEPOLIA' }],
    ['a mainnet with a test key', 156006, { walletId: undefined, sourceAddress: STRANGER, blockchain: 'ETH' }],
    [
      'an address that is not a wallet',
      156001,
      { walletId: undefined, sourceAddress: STRANGER, blockchain: 'ETH-SEPOLIA' },
    ],
    ['an invalid destination', 155219, { destinationAddress: '0x12' }],
    ['a wrong checksum', 155219, { destinationAddress: STRANGER.replace(/d$/, 'D') }],
    ['an unknown token', 156002, { tokenId: '00000000-0000-4000-8000-000000000000' }],
    ['a token of another blockchain', 155220, { tokenId: token('AVAX-FUJI', 'USDC') }],
    ['no token', 155228, { tokenId: undefined }],
    ['a token address without a token', 155239, { tokenId: undefined, tokenAddress: STRANGER }],
    ['a zero amount', 155221, { amounts: ['0'] }],
    ['two amounts of one token', 155221, { amounts: ['1', '2'] }],
    ['more than the balance', 155201, { amounts: ['5.000001'] }],
    [
      'a native amount that leaves nothing for the fee',
      155201,
      { tokenId: token('ETH-SEPOLIA', 'native'), amounts: ['0.01'] },
    ],
    // Amounts that lenient parsers accept.
    ...['10USDC', '1.5abc', '', ' ', 'abc', 'NaN', '0x10', '1,000', '1e6'].map((amount): [string, number, object] => [
      `the amount "${amount}"`,
      155224,
      { amounts: [amount] },
    ]),
    ['more decimals than the token has', 155221, { amounts: ['1.0000001'] }],
    ['more decimals than the token has, without a zero', 155221, { amounts: ['.0000001'] }],
  ])('%s leads to %d', async (_case, code, body) => {
    expect(await client.transfer(wallet, body)).toMatchObject({
      status: code < 156001 || code === 156006 ? 400 : 404,
      code,
    });
  });

  test.each([
    ['1.0000001', 'amounts[0] has 7 decimals, but the token has 6'],
    ['0', 'amounts[0] must be above zero'],
  ])('an amount of %s is rejected with a message that says why', async (amount, message) => {
    const { body } = await client.transfer(wallet, { amounts: [amount] });
    expect(body).toMatchObject({ code: 155221, message });
  });

  test('leave no trace', async () => {
    const { data } = await client.get('/transactions?txType=OUTBOUND');
    expect(data.transactions).toEqual([]);
  });

  test('tokens of an unknown standard or without decimals cannot be transferred', async () => {
    const { control } = client.world;
    const odd = { blockchain: 'ETH-SEPOLIA', symbol: 'ODD' };
    const customToken = await control.call<{ id: string }>('POST', '/tokens', {
      ...odd,
      tokenAddress: '0x00000000000000000000000000000000000000aa',
      standard: 'ERC9999',
      decimals: 6,
    });
    const endless = await control.call<{ id: string }>('POST', '/tokens', {
      ...odd,
      tokenAddress: '0x00000000000000000000000000000000000000ab',
      standard: 'ERC20',
    });
    expect(await client.transfer(wallet, { tokenId: customToken.id })).toMatchObject({ code: 155240 });
    expect(await client.transfer(wallet, { tokenId: endless.id })).toMatchObject({ code: 155241 });
  });

  test('a frozen wallet can only be read', async () => {
    const frozen = await client.wallet();
    await client.world.control.call('POST', `/wallets/${frozen.id}/freeze`);
    expect(await client.transfer(frozen)).toMatchObject({ status: 409, code: 155501 });
    expect((await client.get(`/developer/wallets/${frozen.id}`)).data.wallet.state).toBe('FROZEN');
    await client.world.control.call('POST', `/wallets/${frozen.id}/unfreeze`);
    expect(await client.transfer(frozen)).toMatchObject({ code: 155201 });
  });

  test('Solana addresses are case-sensitive', async () => {
    const solana = await client.wallet('SOL-DEVNET');
    await client.fund(solana, { native: '1', USDC: '5' });
    const destinationAddress = 'So11111111111111111111111111111111111111112';
    const sent = await client.transfer(solana, { destinationAddress });
    expect(sent.status).toBe(201);
    expect((await client.transaction(sent.data.id)).destinationAddress).toBe(destinationAddress);
    const { data } = await client.get(`/transactions?destinationAddress=${destinationAddress.toLowerCase()}`);
    expect(data.transactions).toEqual([]);
  });
});

test('an NFT transfer needs as many amounts as ids, and balances are by id', async () => {
  const client = await TestClient.open();
  const [wallet, other] = await client.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
  await client.fund(wallet!, { native: '1', USDC: '5' });
  const [collectible, edition] = [token('ETH-SEPOLIA', 'SCOL'), token('ETH-SEPOLIA', 'SEDN')];
  for (const [tokenId, nftTokenId, amount] of [
    [collectible, '1', '1'],
    [edition, '1', '9'],
    [edition, '2', '9'],
  ]) {
    await client.world.control.call('POST', `/wallets/${wallet!.id}/inbound`, { tokenId, nftTokenId, amount });
  }
  await client.settle();
  const send = (tokenId: string, amounts: string[], nftTokenIds?: string[]) =>
    client.transfer(wallet!, { tokenId, amounts, nftTokenIds, destinationAddress: other!.address });

  expect(await send(edition, ['5'], ['1', '2'])).toMatchObject({ code: 155242 });
  expect(await send(collectible, ['5', '6'], ['1', '2'])).toMatchObject({ code: 155218 });
  expect(await send(token('ETH-SEPOLIA', 'USDC'), ['1', '2'])).toMatchObject({ code: 155221 });
  expect(await send(edition, ['1'])).toMatchObject({ code: 155228 });
  expect(await send(collectible, ['1'], ['2'])).toMatchObject({ status: 404, code: 156011 });
  expect(await send(collectible, ['1'], ['1'])).toMatchObject({ status: 201 });
  expect(await send(edition, ['5', '6'], ['1', '2'])).toMatchObject({ status: 201 });
  await client.settle();

  const nftsOf = async (id: string) =>
    (await client.get(`/wallets/${id}/nfts`)).data.nfts.map(
      (nft: { token: { symbol: string }; nftTokenId: string; amount: string }) =>
        [nft.token.symbol, nft.nftTokenId, nft.amount].join(' '),
    );
  expect(await nftsOf(wallet!.id)).toEqual(['SEDN 1 4', 'SEDN 2 3']);
  expect(await nftsOf(other!.id)).toEqual(['SCOL 1 1', 'SEDN 1 5', 'SEDN 2 6']);
  expect(await client.balances(other!)).toEqual({});
});

describe('a transfer to the zero address', () => {
  const destinationAddress = `0x${'0'.repeat(40)}`;
  /** Creates a wallet with one token of each standard. */
  async function rich() {
    const client = await TestClient.open();
    const wallet = await client.fundedWallet();
    for (const symbol of ['SCOL', 'SEDN']) {
      const inbound = { tokenId: token('ETH-SEPOLIA', symbol), nftTokenId: '1', amount: '1' };
      await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, inbound);
    }
    await client.settle();
    return { client, wallet };
  }

  test.each([
    ['ERC20', 'USDC', {}],
    ['ERC721', 'SCOL', { nftTokenIds: ['1'] }],
    ['ERC1155', 'SEDN', { nftTokenIds: ['1'] }],
  ])('of %s reverts, pays its fee and destroys nothing', async (standard, symbol, nft) => {
    const { client, wallet } = await rich();
    const before = await client.balances(wallet);
    const nfts = async () => (await client.get(`/wallets/${wallet.id}/nfts`)).data.nfts as unknown[];
    const body = { tokenId: token('ETH-SEPOLIA', symbol), destinationAddress, amounts: ['1'], ...nft };
    const path = '/transactions/transfer/estimateFee';
    expect(await client.send('POST', path, { walletId: wallet.id, ...body })).toMatchObject({
      status: 400,
      code: 155208,
    });
    const { data } = await client.transfer(wallet, body);
    await client.settle();
    expect(await client.transaction(data.id)).toMatchObject({
      state: 'FAILED',
      errorReason: 'FAILED_ON_CHAIN',
      errorDetails: `${standard}: transfer to the zero address`,
      networkFee: expect.stringMatching(/^0\.00\d+$/),
    });
    expect((await client.balances(wallet)).USDC).toBe(before.USDC);
    expect(Number((await client.balances(wallet)).ETH)).toBeLessThan(Number(before.ETH));
    expect(await nfts()).toHaveLength(2);
    expect(await client.audit()).toMatchObject({ ok: true });
  });

  test('of native tokens succeeds, since no contract checks it', async () => {
    const client = await TestClient.open();
    const wallet = await client.fundedWallet();
    const { data } = await client.transfer(wallet, { tokenId: token('ETH-SEPOLIA', 'native'), destinationAddress });
    await client.settle();
    expect(await client.transaction(data.id)).toMatchObject({ state: 'COMPLETE' });
    expect(await client.audit()).toMatchObject({ ok: true });
  });
});
