import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER, token } from './support';

afterAll(closeOwnEmulator);

test('wallet set, wallets, faucet, transfer, COMPLETE', async () => {
  const chain = await Chain.open();
  const [from, to] = await chain.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
  const drip = await chain.send('POST', '/faucet/drips', {
    address: from!.address,
    blockchain: 'ETH-SEPOLIA',
    usdc: true,
    native: true,
  });
  expect(drip.status).toBe(204);
  expect(await chain.balances(from!)).toEqual({});
  await chain.settle();
  expect(await chain.balances(from!)).toEqual({ ETH: '0.2', USDC: '20' });

  const sent = await chain.transfer(from!, {
    destinationAddress: to!.address,
    amounts: ['1.000001'],
    refId: 'invoice-7',
  });
  expect(sent).toMatchObject({ status: 201, data: { state: 'INITIATED' } });
  const { id } = sent.data;

  const seen: string[] = [];
  for (let n = 0; n < 400 && seen.at(-1) !== 'COMPLETE'; n++) {
    const { state } = await chain.transaction(id);
    if (state !== seen.at(-1)) seen.push(state);
    await chain.world.control.advance(state === 'CONFIRMED' || state === 'SENT' ? 12_000 : 100);
  }
  expect(seen).toEqual(['INITIATED', 'CLEARED', 'QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE']);
  const outbound = await chain.transaction(id);
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
  // 65 000 gas: at most 19 gwei each (12 × 150 % + 1), in fact 13.
  expect(outbound.estimatedFee).toMatchObject({ gasLimit: '65000', maxFee: '19', networkFee: '0.001235' });
  expect(await chain.balances(from!)).toEqual({ ETH: '0.199155', USDC: '18.999999' });
  expect(await chain.balances(to!)).toEqual({ USDC: '1.000001' });

  const { data } = await chain.get(`/transactions?walletIds=${to!.id}&txType=INBOUND`);
  expect(data.transactions).toEqual([
    expect.objectContaining({
      state: 'COMPLETE',
      txHash: outbound.txHash,
      blockHash: outbound.blockHash,
      amounts: ['1.000001'],
      sourceAddress: from!.address,
    }),
  ]);
  expect(await chain.audit()).toMatchObject({ ok: true, problems: [] });
});

test('a source can be named by its address, in both spellings', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1', USDC: '5' });
  const { blockchain, address } = wallet;
  for (const field of ['sourceAddress', 'walletAddress']) {
    const sent = await chain.transfer(wallet, { walletId: undefined, [field]: address.toLowerCase(), blockchain });
    expect(sent.status).toBe(201);
  }
});

describe('refusals', () => {
  let chain: Chain;
  let wallet: { id: string; address: string; blockchain: string };
  beforeAll(async () => {
    chain = await Chain.open();
    wallet = await chain.wallet();
    await chain.fund(wallet, { native: '0.01', USDC: '5' });
  });

  test.each<[string, number, object]>([
    ['an unknown wallet', 156001, { walletId: '00000000-0000-4000-8000-000000000000' }],
    ["another blockchain than the wallet's", 155225, { blockchain: 'AVAX-FUJI' }],
    ['a source that is no address', 155226, { walletId: undefined, sourceAddress: '0x12', blockchain: 'ETH-SEPOLIA' }],
    ['a mainnet with a test key', 156006, { walletId: undefined, sourceAddress: STRANGER, blockchain: 'ETH' }],
    [
      'an address that is no wallet',
      156001,
      { walletId: undefined, sourceAddress: STRANGER, blockchain: 'ETH-SEPOLIA' },
    ],
    ['a destination that is no address', 155219, { destinationAddress: '0x12' }],
    ['a wrong checksum', 155219, { destinationAddress: STRANGER.replace(/d$/, 'D') }],
    ['an unknown token', 156002, { tokenId: '00000000-0000-4000-8000-000000000000' }],
    ['a token of another blockchain', 155220, { tokenId: token('AVAX-FUJI', 'USDC') }],
    ['no token', 155228, { tokenId: undefined }],
    ['a token address that is no token', 155239, { tokenId: undefined, tokenAddress: STRANGER }],
    ['nothing', 155221, { amounts: ['0'] }],
    ['two amounts of one token', 155221, { amounts: ['1', '2'] }],
    ['more than there is', 155201, { amounts: ['5.000001'] }],
    [
      'a native amount that leaves nothing for the fee',
      155201,
      { tokenId: token('ETH-SEPOLIA', 'native'), amounts: ['0.01'] },
    ],
    // Field case CL-08.
    ...['10USDC', '1.5abc', '', ' ', 'abc', 'NaN', '0x10', '1,000', '1e6'].map((amount): [string, number, object] => [
      `the amount "${amount}"`,
      155224,
      { amounts: [amount] },
    ]),
    ['more decimals than the token has', 155221, { amounts: ['1.0000001'] }],
  ])('%s: %d', async (_what, code, body) => {
    expect(await chain.transfer(wallet, body)).toMatchObject({
      status: code < 156001 || code === 156006 ? 400 : 404,
      code,
    });
  });

  test('none of them has left a trace', async () => {
    const { data } = await chain.get('/transactions?txType=OUTBOUND');
    expect(data.transactions).toEqual([]);
  });

  test('tokens of a strange standard or without decimals', async () => {
    const { control } = chain.world;
    const odd = { blockchain: 'ETH-SEPOLIA', symbol: 'ODD' };
    const strange = await control.call<{ id: string }>('POST', '/tokens', {
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
    expect(await chain.transfer(wallet, { tokenId: strange.id })).toMatchObject({ code: 155240 });
    expect(await chain.transfer(wallet, { tokenId: endless.id })).toMatchObject({ code: 155241 });
  });

  test('a frozen wallet is only queried', async () => {
    const frozen = await chain.wallet();
    await chain.world.control.call('POST', `/wallets/${frozen.id}/freeze`);
    expect(await chain.transfer(frozen)).toMatchObject({ status: 409, code: 155501 });
    expect((await chain.get(`/developer/wallets/${frozen.id}`)).data.wallet.state).toBe('FROZEN');
    await chain.world.control.call('POST', `/wallets/${frozen.id}/unfreeze`);
    expect(await chain.transfer(frozen)).toMatchObject({ code: 155201 });
  });

  test('Solana strings are exact', async () => {
    const solana = await chain.wallet('SOL-DEVNET');
    await chain.fund(solana, { native: '1', USDC: '5' });
    const destinationAddress = 'So11111111111111111111111111111111111111112';
    const sent = await chain.transfer(solana, { destinationAddress });
    expect(sent.status).toBe(201);
    expect((await chain.transaction(sent.data.id)).destinationAddress).toBe(destinationAddress);
    const { data } = await chain.get(`/transactions?destinationAddress=${destinationAddress.toLowerCase()}`);
    expect(data.transactions).toEqual([]);
  });
});

test('NFTs: as many amounts as ids, balances by id (field case SB-04)', async () => {
  const chain = await Chain.open();
  const [wallet, other] = await chain.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
  await chain.fund(wallet!, { native: '1', USDC: '5' });
  const [collectible, edition] = [token('ETH-SEPOLIA', 'SCOL'), token('ETH-SEPOLIA', 'SEDN')];
  for (const [tokenId, nftTokenId, amount] of [
    [collectible, '1', '1'],
    [edition, '1', '9'],
    [edition, '2', '9'],
  ]) {
    await chain.world.control.call('POST', `/wallets/${wallet!.id}/inbound`, { tokenId, nftTokenId, amount });
  }
  await chain.settle();
  const send = (tokenId: string, amounts: string[], nftTokenIds?: string[]) =>
    chain.transfer(wallet!, { tokenId, amounts, nftTokenIds, destinationAddress: other!.address });

  expect(await send(edition, ['5'], ['1', '2'])).toMatchObject({ code: 155242 });
  expect(await send(collectible, ['5', '6'], ['1', '2'])).toMatchObject({ code: 155218 });
  expect(await send(token('ETH-SEPOLIA', 'USDC'), ['1', '2'])).toMatchObject({ code: 155221 });
  expect(await send(edition, ['1'])).toMatchObject({ code: 155228 });
  expect(await send(collectible, ['1'], ['2'])).toMatchObject({ status: 404, code: 156011 });
  expect(await send(collectible, ['1'], ['1'])).toMatchObject({ status: 201 });
  expect(await send(edition, ['5', '6'], ['1', '2'])).toMatchObject({ status: 201 });
  await chain.settle();

  const held = async (id: string) =>
    (await chain.get(`/wallets/${id}/nfts`)).data.nfts.map(
      (nft: { token: { symbol: string }; nftTokenId: string; amount: string }) =>
        [nft.token.symbol, nft.nftTokenId, nft.amount].join(' '),
    );
  expect(await held(wallet!.id)).toEqual(['SEDN 1 4', 'SEDN 2 3']);
  expect(await held(other!.id)).toEqual(['SCOL 1 1', 'SEDN 1 5', 'SEDN 2 6']);
  expect(await chain.balances(other!)).toEqual({});
});

describe('to the zero address', () => {
  const destinationAddress = `0x${'0'.repeat(40)}`;
  /** A wallet with one of each standard. */
  async function rich() {
    const chain = await Chain.open();
    const wallet = await chain.funded();
    for (const symbol of ['SCOL', 'SEDN']) {
      const inbound = { tokenId: token('ETH-SEPOLIA', symbol), nftTokenId: '1', amount: '1' };
      await chain.world.control.call('POST', `/wallets/${wallet.id}/inbound`, inbound);
    }
    await chain.settle();
    return { chain, wallet };
  }

  test.each([
    ['ERC20', 'USDC', {}],
    ['ERC721', 'SCOL', { nftTokenIds: ['1'] }],
    ['ERC1155', 'SEDN', { nftTokenIds: ['1'] }],
  ])('%s: reverts, pays its fee and destroys nothing', async (standard, symbol, nft) => {
    const { chain, wallet } = await rich();
    const before = await chain.balances(wallet);
    const nfts = async () => (await chain.get(`/wallets/${wallet.id}/nfts`)).data.nfts as unknown[];
    const body = { tokenId: token('ETH-SEPOLIA', symbol), destinationAddress, amounts: ['1'], ...nft };
    const path = '/transactions/transfer/estimateFee';
    expect(await chain.send('POST', path, { walletId: wallet.id, ...body })).toMatchObject({
      status: 400,
      code: 155208,
    });
    const { data } = await chain.transfer(wallet, body);
    await chain.settle();
    expect(await chain.transaction(data.id)).toMatchObject({
      state: 'FAILED',
      errorReason: 'FAILED_ON_CHAIN',
      errorDetails: `${standard}: transfer to the zero address`,
      networkFee: expect.stringMatching(/^0\.00\d+$/),
    });
    expect((await chain.balances(wallet)).USDC).toBe(before.USDC);
    expect(Number((await chain.balances(wallet)).ETH)).toBeLessThan(Number(before.ETH));
    expect(await nfts()).toHaveLength(2);
    expect(await chain.audit()).toMatchObject({ ok: true });
  });

  test('native tokens have no contract that minds', async () => {
    const chain = await Chain.open();
    const wallet = await chain.funded();
    const { data } = await chain.transfer(wallet, { tokenId: token('ETH-SEPOLIA', 'native'), destinationAddress });
    await chain.settle();
    expect(await chain.transaction(data.id)).toMatchObject({ state: 'COMPLETE' });
    expect(await chain.audit()).toMatchObject({ ok: true });
  });
});
