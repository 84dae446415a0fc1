import { base58 } from '@scure/base';
import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { toHex } from 'viem/utils';
import { checkAddress } from '../../../src/crypto/addresses';
import { CHAINS } from '../../../src/domain/chains';
import { deriveKey, scaAddress } from '../../../src/emulator/chains/keys';
import { TOKEN_CATALOG } from '../../../src/emulator/ledger/tokenCatalog';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient, token } from './support';

afterAll(closeOwnEmulator);

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('keys', () => {
  test('an EVM address is derived from its key', () => {
    const { privateKey, address } = deriveKey('seed', 'set', 'evm', 3);
    expect(privateKeyToAccount(toHex(privateKey)).address).toBe(address);
    expect(deriveKey('seed', 'set', 'evm', 3).address).toBe(address);
    expect(deriveKey('seed', 'set', 'evm', 4).address).not.toBe(address);
    expect(checkAddress('evm', scaAddress(address, 'core'))).toBeUndefined();
  });

  test('an address with an ed25519 key is derived from the public key as its blockchain specifies', () => {
    const near = deriveKey('seed', 'set', 'near', 0);
    const [, encoded = ''] = near.initialPublicKey?.split(':') ?? [];
    expect(Buffer.from(base58.decode(encoded)).toString('hex')).toBe(near.address);
    const jwk: JsonWebKey = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(near.address, 'hex').toString('base64url') };
    expect(createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyType).toBe('ed25519');
    for (const family of ['solana', 'near', 'aptos'] as const) {
      expect(checkAddress(family, deriveKey('seed', 'set', family, 0).address)).toBeUndefined();
    }
    // The published rule: SHA3-256 over key and scheme 0x00.
    const zero = createHash('sha3-256').update(Buffer.alloc(33)).digest('hex');
    expect(zero).toHaveLength(64);
  });
});

test('every token of the catalogue has a unique id and a unique valid address', () => {
  expect(new Set(TOKEN_CATALOG.map(({ id }) => id)).size).toBe(TOKEN_CATALOG.length);
  for (const { id, blockchain, tokenAddress } of TOKEN_CATALOG) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    if (tokenAddress) expect(checkAddress(CHAINS[blockchain].family, tokenAddress)).toBeUndefined();
  }
});

describe('wallets', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await TestClient.open();
  });
  const create = (body: object) => client.postWithKey('/developer/wallets', body);
  const newSet = async () =>
    (await client.postWithKey('/developer/walletSets', { name: 'a' })).data.walletSet.id as string;

  test('are in sets that can be created, renamed and listed', async () => {
    const { status, data } = await client.postWithKey('/developer/walletSets', { name: 'first' });
    expect(status).toBe(201);
    expect(data.walletSet).toMatchObject({ name: 'first', custodyType: 'DEVELOPER' });
    const { id } = data.walletSet;
    await client.send('PUT', `/developer/walletSets/${id}`, { name: 'second' });
    expect((await client.get(`/walletSets/${id}`)).data.walletSet.name).toBe('second');
    expect((await client.get('/walletSets')).data.walletSets[0].id).toBe(id);
    expect(await client.get(`/walletSets/${UNKNOWN_ID}`)).toMatchObject({ status: 404, code: 156005 });
  });

  test('are created count × blockchains, with metadata by index and one EVM address for each index', async () => {
    const { status, data } = await create({
      walletSetId: await newSet(),
      blockchains: ['ETH-SEPOLIA', 'AVAX-FUJI', 'SOL-DEVNET', 'NEAR-TESTNET', 'APTOS-TESTNET'],
      count: 2,
      metadata: [{ name: 'one', refId: 'r1' }, { name: 'two' }],
    });
    expect(status).toBe(201);
    const { wallets } = data;
    expect(wallets).toHaveLength(10);
    expect(wallets.map(({ name }: { name: string }) => name)).toEqual([
      ...Array(5).fill('one'),
      ...Array(5).fill('two'),
    ]);
    expect(wallets[0]).toMatchObject({ state: 'LIVE', custodyType: 'DEVELOPER', accountType: 'EOA', refId: 'r1' });
    expect(wallets[1].address).toBe(wallets[0].address);
    expect(wallets[5].address).not.toBe(wallets[0].address);
    expect(wallets[3].initialPublicKey).toMatch(/^ed25519:/);
    expect(wallets[0].initialPublicKey).toBeUndefined();
  });

  test('that one call creates on several blockchains have one address, at the latest index', async () => {
    const walletSetId = await newSet();
    const addresses = async (blockchains: string[], count = 1) => {
      const { data } = await create({ walletSetId, blockchains, count });
      return data.wallets.map(({ address }: { address: string }) => address) as string[];
    };
    const [first, second] = await addresses(['ETH-SEPOLIA'], 2);
    const [third, onPolygon] = await addresses(['ETH-SEPOLIA', 'MATIC-AMOY']);
    expect(onPolygon).toBe(third);
    const [fourth] = await addresses(['MATIC-AMOY']);
    // A new blockchain starts at the first index.
    expect(await addresses(['ARB-SEPOLIA'], 2)).toEqual([first, second]);
    const everywhere = await addresses(['ETH-SEPOLIA', 'MATIC-AMOY', 'ARB-SEPOLIA', 'SOL-DEVNET']);
    expect(new Set(everywhere.slice(0, 3)).size).toBe(1);
    expect(new Set([first, second, third, fourth, everywhere[0]]).size).toBe(5);
  });

  test('with a smart contract have a core and their own address', async () => {
    const walletSetId = await newSet();
    const eoa = await create({ walletSetId, blockchains: ['ETH-SEPOLIA'] });
    const { data } = await create({ walletSetId, blockchains: ['ETH-SEPOLIA', 'BASE-SEPOLIA'], accountType: 'SCA' });
    const [first, second] = data.wallets;
    expect(first).toMatchObject({ accountType: 'SCA', scaCore: 'circle_6900_singleowner_v3' });
    expect(second.address).toBe(first.address);
    expect(first.address).not.toBe(eoa.data.wallets[0].address);
  });

  test.each<[string, number, object]>([
    ['an unknown set', 156005, { walletSetId: UNKNOWN_ID }],
    ['a mainnet with a test key', 156006, { blockchains: ['ETH-SEPOLIA', 'ETH'] }],
    ['SCA on a blockchain without SCA', 155507, { blockchains: ['ETH-SEPOLIA', 'SOL-DEVNET'], accountType: 'SCA' }],
    ['metadata of another length', 155503, { count: 2, metadata: [{ name: 'a' }] }],
    ['no blockchain', 2, { blockchains: [] }],
  ])('are not created with %s, which leads to %d', async (_case, code, body) => {
    const walletSetId = await newSet();
    expect(await create({ walletSetId, blockchains: ['ETH-SEPOLIA'], ...body })).toMatchObject({ code });
    expect((await client.get(`/wallets?walletSetId=${walletSetId}`)).data.wallets).toEqual([]);
  });

  test('are not created in a full set', async () => {
    const walletSetId = await newSet();
    await client.world.control.call('POST', `/walletSets/${walletSetId}/capacity`, { wallets: 2 });
    const body = { walletSetId, blockchains: ['ETH-SEPOLIA'] };
    expect(await create({ ...body, count: 3 })).toMatchObject({ status: 403, code: 155502 });
    expect(await create({ ...body, count: 2 })).toMatchObject({ status: 201 });
  });

  test('can be derived once with the same address on another blockchain', async () => {
    const wallet = await client.wallet();
    const derive = (blockchain: string, id = wallet.id) =>
      client.send('PUT', `/developer/wallets/${id}/blockchains/${blockchain}`, { metadata: { name: 'derived' } });
    const first = await derive('BASE-SEPOLIA');
    expect(first).toMatchObject({ status: 201, data: { wallet: { address: wallet.address, name: 'derived' } } });
    const again = await derive('BASE-SEPOLIA');
    expect(again).toMatchObject({ status: 200, data: { wallet: { id: first.data.wallet.id } } });
    expect(await derive('SOL-DEVNET')).toMatchObject({ code: 155510 });
    expect(await derive('BASE')).toMatchObject({ code: 156006 });
    expect(await derive('BASE-SEPOLIA', UNKNOWN_ID)).toMatchObject({ status: 404, code: 156001 });
    // The next wallet of the set on that blockchain has another key.
    const { data } = await create({ walletSetId: wallet.walletSetId, blockchains: ['BASE-SEPOLIA'] });
    expect(data.wallets[0].address).not.toBe(wallet.address);
  });

  test('can be derived by address', async () => {
    const wallet = await client.wallet();
    const derive = (body: object) =>
      client.send('PUT', '/developer/wallets/derive', {
        sourceBlockchain: 'ETH-SEPOLIA',
        walletAddress: wallet.address.toLowerCase(),
        targetBlockchain: 'BASE-SEPOLIA',
        ...body,
      });
    const first = await derive({ metadata: { refId: 'r1' } });
    expect(first).toMatchObject({
      status: 201,
      data: { wallet: { address: wallet.address, blockchain: 'BASE-SEPOLIA', refId: 'r1' } },
    });
    expect(await derive({})).toMatchObject({ status: 200, data: { wallet: { id: first.data.wallet.id } } });
    expect(await derive({ targetBlockchain: 'SOL-DEVNET' })).toMatchObject({ code: 155510 });
    expect(await derive({ walletAddress: STRANGER })).toMatchObject({ status: 404, code: 156001 });
    expect(await derive({ walletAddress: '0x12' })).toMatchObject({ code: 155226 });
    expect(await derive({ targetBlockchain: 'MATIC-MUMBAI' })).toMatchObject({ status: 400, code: 156027 });
    await client.world.control.changeSettings({ noWallets: ['AVAX-FUJI'] });
    expect(await derive({ targetBlockchain: 'AVAX-FUJI' })).toMatchObject({ code: 155511 });
    await client.world.control.changeSettings({ noWallets: [] });
  });

  test('with a smart contract keep core and address when derived, except with the first core', async () => {
    const wallet = await client.wallet('ETH-SEPOLIA', 'SCA');
    const { data } = await client.send('PUT', `/developer/wallets/${wallet.id}/blockchains/BASE-SEPOLIA`, {});
    expect(data.wallet).toMatchObject({ address: wallet.address, scaCore: 'circle_6900_singleowner_v3' });
    await client.world.control.changeSettings({ scaCore: 'circle_4337_v1' });
    const old = await client.wallet('ETH-SEPOLIA', 'SCA');
    await client.world.control.changeSettings({ scaCore: 'circle_6900_singleowner_v3' });
    expect(await client.send('PUT', `/developer/wallets/${old.id}/blockchains/BASE-SEPOLIA`, {})).toMatchObject({
      code: 155516,
    });
  });

  test('can be listed with their balance of one token on one blockchain', async () => {
    const [rich, poor] = await client.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
    const { walletSetId } = rich!;
    await client.fund(rich!, { native: '2', USDC: '5' });
    const list = (query: string) =>
      client.get(`/developer/wallets/balances?blockchain=ETH-SEPOLIA&walletSetId=${walletSetId}${query}`);
    const amounts = async (query: string) =>
      (await list(query)).data.wallets.map(
        ({ id, tokenBalances: [balance] }: { id: string; tokenBalances: { amount: string }[] }) =>
          `${id === rich!.id ? 'rich' : 'poor'} ${balance!.amount}`,
      );
    expect(await amounts('')).toEqual(['poor 0', 'rich 2']);
    expect(await amounts('&amount__gte=0.1')).toEqual(['rich 2']);
    expect(await amounts('&tokenAddress=0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238')).toEqual(['poor 0', 'rich 5']);
    expect(await amounts(`&address=${poor!.address}`)).toEqual(['poor 0']);
    const [first] = (await list('&amount__gte=2')).data.wallets;
    expect(first).toMatchObject({ id: rich!.id, accountType: 'EOA', tokenBalances: [{ token: { symbol: 'ETH' } }] });
    expect(await list('&amount__gte=much')).toMatchObject({ code: 155224 });
    expect(await list(`&tokenAddress=${STRANGER}`)).toMatchObject({ code: 155239 });
    expect(await client.get('/developer/wallets/balances')).toMatchObject({ status: 400, code: 2 });
    expect((await list('&pageSize=1')).headers.get('link')).toContain('rel="next"');
  });

  test('are in a set whose id can be chosen once', async () => {
    const id = '6f6b1d2e-1111-4222-8333-944455556666';
    const createSet = (body: object) => client.postWithKey('/developer/walletSets', body);
    expect(await createSet({ id, name: 'mine' })).toMatchObject({ status: 201, data: { walletSet: { id } } });
    expect(await createSet({ id: id.toUpperCase() })).toMatchObject({ status: 400, code: 155601 });
    const wallet = await client.wallet();
    expect(await createSet({ id: wallet.id })).toMatchObject({ status: 409, code: 156021 });
    expect(await createSet({ id: 'mine' })).toMatchObject({ code: 2 });
  });

  test('can be filtered and updated', async () => {
    const [wallet, other] = await client.wallets({ blockchains: ['ETH-SEPOLIA', 'AVAX-FUJI'] });
    const { id, address, walletSetId } = wallet!;
    const changed = await client.send('PUT', `/wallets/${id}`, { refId: 'customer-1' });
    expect(changed.data.wallet).toMatchObject({ id, refId: 'customer-1' });
    const found = async (query: string) =>
      (await client.get(`/wallets?${query}`)).data.wallets.map((entry: { id: string }) => entry.id);
    expect(await found('refId=customer-1')).toEqual([id]);
    expect(await found(`address=${address.toLowerCase()}`)).toEqual([other!.id, id]);
    expect(await found(`walletSetId=${walletSetId}&blockchain=AVAX-FUJI`)).toEqual([other!.id]);
    expect(await found(`walletIds=${id},${other!.id}&order=ASC`)).toEqual([id, other!.id]);
    expect(await found(`walletSetId=${walletSetId}&scaCore=circle_4337_v1`)).toEqual([]);
    expect((await client.get(`/developer/wallets?refId=customer-1`)).data.wallets).toHaveLength(1);
    expect(await client.get(`/developer/wallets/${UNKNOWN_ID}`)).toMatchObject({ status: 404, code: 156001 });
  });

  test('have addresses that are validated by the rules of their blockchain', async () => {
    const valid = async (address: string, blockchain: string) =>
      (await client.send('POST', '/transactions/validateAddress', { address, blockchain })).data.isValid;
    expect(await valid(STRANGER, 'ETH-SEPOLIA')).toBe(true);
    expect(await valid(STRANGER.toLowerCase(), 'ETH-SEPOLIA')).toBe(true);
    expect(await valid(STRANGER.replace(/d$/, 'D'), 'ETH-SEPOLIA')).toBe(false);
    expect(await valid(STRANGER, 'SOL-DEVNET')).toBe(false);
    expect(await valid('So11111111111111111111111111111111111111112', 'SOL-DEVNET')).toBe(true);
  });
});

describe('balances and monitored tokens', () => {
  test('zero balances are listed only for monitored tokens, other tokens only with includeAll', async () => {
    const client = await TestClient.open();
    const wallet = await client.wallet();
    const [usdc, eurc] = [token('ETH-SEPOLIA', 'USDC'), token('ETH-SEPOLIA', 'EURC')];
    const balances = async (query = '') =>
      (await client.get(`/wallets/${wallet.id}/balances${query}`)).data.tokenBalances.map(
        (entry: { amount: string; token: { symbol: string } }) => `${entry.token.symbol} ${entry.amount}`,
      );
    await client.fund(wallet, { native: '1', USDC: '5' });
    expect(await balances()).toEqual(['ETH 1', 'USDC 5']);
    expect(await balances('?name=USD%20Coin')).toEqual(['USDC 5']);
    expect(await balances('?standard=ERC20')).toEqual(['USDC 5']);

    const path = '/config/entity/monitoredTokens';
    // Nothing is configured yet.
    expect(await client.get(path)).toMatchObject({ status: 204, body: {} });
    const monitored = await client.send('POST', path, { tokenIds: [eurc] });
    expect(monitored).toMatchObject({ status: 201, data: { scope: 'SELECTED', tokens: [{ id: eurc }] } });
    expect(await balances()).toEqual(['EURC 0']);
    expect(await balances('?includeAll=true')).toEqual(['ETH 1', 'USDC 5', 'EURC 0']);
    const inbound = async (query: string) =>
      (await client.get(`/transactions?txType=INBOUND${query}`)).data.transactions.length;
    expect([await inbound(''), await inbound('&includeAll=true')]).toEqual([0, 2]);

    await client.send('PUT', path, { tokenIds: [usdc] });
    expect(await balances()).toEqual(['USDC 5']);
    expect((await client.get(`${path}?symbol=USDC`)).data.tokens).toHaveLength(1);
    expect((await client.get(`${path}?blockchain=AVAX-FUJI`)).data.tokens).toHaveLength(0);
    await client.send('POST', `${path}/delete`, { tokenIds: [usdc] });
    expect(await balances()).toEqual([]);
    await client.send('PUT', `${path}/scope`, { scope: 'MONITOR_ALL' });
    expect(await balances()).toEqual(['ETH 1', 'USDC 5']);
    expect(await client.send('POST', path, { tokenIds: [UNKNOWN_ID] })).toMatchObject({ status: 404, code: 156002 });
  });

  test('a token can be read by its id', async () => {
    const client = await TestClient.open();
    expect((await client.get(`/tokens/${token('SOL-DEVNET', 'USDC')}`)).data.token).toMatchObject({
      symbol: 'USDC',
      decimals: 6,
      standard: 'Fungible',
      isNative: false,
      tokenAddress: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    });
    expect(await client.get(`/tokens/${UNKNOWN_ID}`)).toMatchObject({ status: 404, code: 156002 });
    expect(await client.get('/tokens/abc')).toMatchObject({ status: 400, code: 156009 });
  });
});
