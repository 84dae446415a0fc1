import { createPublicClient, hashMessage, http, parseAbi, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startEmulator } from '../../../src/emulator';
import { closeOwnEmulator } from '../../support/emulator';
import { request } from '../attestation/support';
import { STRANGER, TestClient } from '../chain/support';
import { call, callAndSettle, USDC } from './support';

afterAll(closeOwnEmulator);

const SEPOLIA_USDC = USDC['ETH-SEPOLIA'];
const TRANSMITTER = '0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275';
const ABI = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function usedNonces(bytes32 nonce) view returns (uint256)',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);

type Blockchain = 'ETH-SEPOLIA' | 'BASE-SEPOLIA';

/** A node of the world, as an integrator's library sees it. */
async function nodeOf(client: TestClient, blockchain: Blockchain = 'ETH-SEPOLIA') {
  const url = (await client.world.control.rpcUrls())[blockchain]!;
  return createPublicClient({ transport: http(url, { retryCount: 0 }), cacheTime: 0 });
}

/** Sends a body as it is. */
async function send(url: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method: 'POST', body: text, headers });
  const answer = await response.text();
  return { status: response.status, body: answer === '' ? undefined : (JSON.parse(answer) as unknown) };
}

const rpc = (method: string, params: unknown[] = [], id: number = 1) => ({ jsonrpc: '2.0', id, method, params });
const errorOf = (code: number, id: number | null = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) },
});

test('blocks follow the time of the world, and finality follows the blockchain', async () => {
  const client = await TestClient.open();
  const node = await nodeOf(client);
  expect(await node.getChainId()).toBe(11_155_111);
  const latest = await node.getBlock();
  expect(await node.getBlockNumber()).toBe(latest.number);
  const finalized = await node.getBlock({ blockTag: 'finalized' });
  // Twelve blocks of 12 s.
  expect(latest.number - finalized.number).toBe(12n);
  expect(latest.timestamp - finalized.timestamp).toBe(144n);

  await client.world.control.advance(120_000);
  expect(await node.getBlockNumber()).toBe(latest.number + 10n);
  expect((await node.getBlock({ blockNumber: latest.number })).hash).toBe(latest.hash);
  const urls = await client.world.control.rpcUrls();
  const later = rpc('eth_getBlockByNumber', ['0xffffffff', false]);
  expect((await send(urls['ETH-SEPOLIA']!, later)).body).toEqual({ jsonrpc: '2.0', id: 1, result: null });
  expect(Object.keys(urls)).not.toContain('ETH');
  expect(Object.keys(urls)).not.toContain('SOL-DEVNET');
});

test('a final transaction of the API is in a finalized block', async () => {
  const client = await TestClient.open();
  const node = await nodeOf(client);
  const wallet = await client.fundedWallet();
  const { data } = await client.transfer(wallet);
  const isFinalized = async () => {
    const { blockHeight } = await client.transaction(data.id as string);
    return (await node.getBlock({ blockTag: 'finalized' })).number >= BigInt(blockHeight as number);
  };
  const until = async (state: string) => {
    while ((await client.transaction(data.id as string)).state !== state) await client.world.control.advance(1_000);
  };
  await until('CONFIRMED');
  expect(await isFinalized()).toBe(false);
  await until('COMPLETE');
  expect(await isFinalized()).toBe(true);
});

test('balances and allowances are those of the ledger', async () => {
  const client = await TestClient.open();
  const node = await nodeOf(client);
  const wallet = await client.fundedWallet();
  const owner = wallet.address as `0x${string}`;
  const read = (functionName: 'balanceOf' | 'allowance', ...args: readonly unknown[]) =>
    node.readContract({ address: SEPOLIA_USDC, abi: ABI, functionName, args: args as never });

  expect(await node.getBalance({ address: owner })).toBe(5_000_000_000_000_000_000n);
  expect(await read('balanceOf', owner)).toBe(500_000_000n);
  await callAndSettle(client, wallet, SEPOLIA_USDC, 'approve(address,uint256)', STRANGER, '7000000');
  expect(await read('allowance', owner, STRANGER)).toBe(7_000_000n);
  expect(await read('allowance', STRANGER, owner)).toBe(0n);
  // A submitted transfer is not in a block yet.
  await client.transfer(wallet, { amounts: ['100'] });
  expect(await read('balanceOf', owner)).toBe(500_000_000n);
  await client.settle();
  expect(await read('balanceOf', owner)).toBe(400_000_000n);
  expect(await node.getCode({ address: owner })).toBeUndefined();
  expect(await node.getCode({ address: SEPOLIA_USDC })).toBe('0xfe');

  const tooMuch = { account: STRANGER, address: SEPOLIA_USDC, abi: ABI, functionName: 'transferFrom' } as const;
  await expect(node.simulateContract({ ...tooMuch, args: [owner, STRANGER, 7_000_001n] })).rejects.toThrow(
    'ERC20: transfer amount exceeds allowance',
  );
  await node.simulateContract({ ...tooMuch, args: [owner, STRANGER, 7_000_000n] });
  expect(await read('balanceOf', owner)).toBe(400_000_000n);
});

test('a nonce is used at its destination once its message was minted', async () => {
  const client = await TestClient.open();
  const [source, destination] = [await nodeOf(client), await nodeOf(client, 'BASE-SEPOLIA')];
  const route = { sourceDomain: 0, destinationDomain: 6, amount: '1000000', mintRecipient: STRANGER };
  const { nonce, txHash } = (await client.control('POST', '/burns', route)).body;
  const isUsed = (node: typeof source) =>
    node.readContract({ address: TRANSMITTER, abi: ABI, functionName: 'usedNonces', args: [nonce] });
  await client.world.control.advance(20 * 60_000);
  expect([await isUsed(source), await isUsed(destination)]).toEqual([0n, 0n]);
  const host = await client.world.control.attestationHost();
  const { body } = await request(host, 'GET', `/v2/messages/0?transactionHash=${txHash}`);
  const { message, attestation } = body.messages[0];
  await client.control('POST', '/mints', { destinationDomain: 6, message, attestation });
  expect([await isUsed(source), await isUsed(destination)]).toEqual([0n, 1n]);
});

test('the contract of a wallet accepts what its key signed for that hash, once it is deployed', async () => {
  const client = await TestClient.open();
  const node = await nodeOf(client);
  const wallet = await client.wallet('ETH-SEPOLIA', 'SCA');
  const address = wallet.address as `0x${string}`;
  const hash = hashMessage('I own this');
  const isValid = (signature: `0x${string}`, signed = hash) =>
    node.readContract({ address, abi: ABI, functionName: 'isValidSignature', args: [signed, signature] });

  const foreign = await privateKeyToAccount(`0x${'11'.repeat(32)}`).signMessage({ message: 'I own this' });
  expect(await node.getCode({ address })).toBeUndefined();
  await expect(isValid(foreign)).rejects.toThrow(/returned no data/);

  await callAndSettle(client, wallet, SEPOLIA_USDC, 'approve(address,uint256)', STRANGER, '1');
  const signature = (
    await client.send('POST', '/developer/sign/message', {
      walletId: wallet.id,
      message: 'I own this',
      ...(await client.ciphertext()),
    })
  ).data.signature as `0x${string}`;
  expect(await node.getCode({ address })).toBe('0xfe');
  expect(await isValid(signature)).toBe('0x1626ba7e');
  for (const wrong of [foreign, '0x', '0x1234', `0x${'00'.repeat(65)}`] as const) {
    expect(await isValid(wrong)).toBe('0xffffffff');
  }
  expect(await isValid(signature, hashMessage('I own that'))).toBe('0xffffffff');
  await client.control('POST', `/wallets/${wallet.id}/transferOwnership`);
  expect(await isValid(signature)).toBe('0xffffffff');
});

test('errors are those of JSON-RPC, and a batch gets one response for each request with an id', async () => {
  const client = await TestClient.open();
  const url = (await client.world.control.rpcUrls())['ETH-SEPOLIA']!;
  const balance = (tag: string) => rpc('eth_getBalance', [zeroAddress, tag]);
  const cases: [unknown, number, number | null][] = [
    ['{', -32_700, null],
    ['', -32_700, null],
    ['1', -32_600, null],
    [[], -32_600, null],
    [Array.from({ length: 101 }, () => rpc('eth_chainId')), -32_600, null],
    [{ method: 'eth_chainId', id: 1 }, -32_600, null],
    [rpc('eth_sendRawTransaction', ['0x00']), -32_601, 1],
    [rpc('constructor'), -32_601, 1],
    [rpc('eth_getBalance', []), -32_602, 1],
    [rpc('eth_getBalance', ['0x12']), -32_602, 1],
    [balance('newest'), -32_602, 1],
    [rpc('eth_call', [{ data: '0x' }]), -32_602, 1],
    [rpc('eth_call', [{ to: zeroAddress, data: '0x123' }]), -32_602, 1],
    [balance('finalized'), -32_000, 1],
    [balance('0x1'), -32_000, 1],
  ];
  for (const [body, code, id] of cases) {
    expect(await send(url, body)).toEqual({ status: 200, body: errorOf(code, id) });
  }
  const reverting = rpc('eth_call', [{ to: SEPOLIA_USDC, data: '0x12345678' }]);
  expect((await send(url, reverting)).body).toMatchObject({
    error: { code: 3, data: expect.stringMatching(/^0x08c3/) },
  });

  const { jsonrpc, method, params } = rpc('eth_chainId');
  const notification = { jsonrpc, method, params };
  expect(await send(url, [rpc('eth_chainId', [], 7), notification, 5, rpc('nothing', [], 8)])).toEqual({
    status: 200,
    body: [{ jsonrpc: '2.0', id: 7, result: '0xaa36a7' }, errorOf(-32_600), errorOf(-32_601, 8)],
  });
  expect(await send(url, [notification])).toEqual({ status: 204, body: undefined });
});

test('the API key, or the only world, selects the world on the common host', async () => {
  const client = await TestClient.open();
  const common = `${client.world.url}/rpc/ETH-SEPOLIA`;
  await TestClient.open();
  const body = rpc('eth_chainId');
  expect(await send(common, body)).toMatchObject({ status: 404, body: errorOf(-32_000) });
  const authorization = `Bearer ${client.world.apiKey}`;
  expect((await send(common, body, { authorization })).status).toBe(200);
  for (const name of ['ETH', 'SOL-DEVNET', 'EVM-TESTNET', 'nothing']) {
    expect((await send(`${client.world.url}/rpc/${name}`, body, { authorization })).status).toBe(404);
  }
  const emulator = await startEmulator({ worlds: [{ apiKey: 'TEST_API_KEY:single:1' }] });
  try {
    expect((await send(`${emulator.url}/rpc/ETH-SEPOLIA`, body)).status).toBe(200);
  } finally {
    await emulator.close();
  }
});

test('a call of the API that waits for its block changes nothing that the node shows', async () => {
  const client = await TestClient.open();
  const node = await nodeOf(client);
  const wallet = await client.fundedWallet();
  await call(client, wallet, SEPOLIA_USDC, 'approve(address,uint256)', STRANGER, '9');
  const args = [wallet.address as `0x${string}`, STRANGER] as const;
  const allowance = () => node.readContract({ address: SEPOLIA_USDC, abi: ABI, functionName: 'allowance', args });
  expect(await allowance()).toBe(0n);
  await client.settle();
  expect(await allowance()).toBe(9n);
});
