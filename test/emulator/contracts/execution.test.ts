import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { closeOwnEmulator } from '../../support/emulator';
import { request } from '../attestation/support';
import { STRANGER, TestClient, token } from '../chain/support';
import {
  call,
  callAndSettle,
  deployAndSettle,
  deployTemplate,
  estimate,
  importContract,
  monitor,
  query,
  USDC,
} from './support';

afterAll(closeOwnEmulator);

const SEPOLIA_USDC = USDC['ETH-SEPOLIA'];
const MESSENGER = '0x8FE6B999Dc680CcFDD5Bf7EB0974218be2542DAA';
const TRANSMITTER = '0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275';
const DEPOSIT = 'depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)';
const UNKNOWN_ID = `0x${'0'.repeat(64)}`;

const bytes32 = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const MAX_UINT = (2n ** 256n - 1n).toString();

/** Creates two wallets and funds the first one. */
async function pair(client: TestClient, blockchain = 'ETH-SEPOLIA') {
  const [first, second] = await client.wallets({ blockchains: [blockchain], count: 2 });
  await client.fund(first!, { native: '1', USDC: '100' });
  await client.fund(second!, { native: '1' });
  return [first!, second!] as const;
}

async function view(client: TestClient, address: string, abiFunctionSignature: string, ...abiParameters: unknown[]) {
  const { data } = await query(client, { address, abiFunctionSignature, abiParameters });
  return data.outputValues[0] as unknown;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read responses by path
async function messageOf(client: TestClient, txHash: string): Promise<any> {
  const { body } = await request(
    await client.world.control.attestationHost(),
    'GET',
    `/v2/messages/0?transactionHash=${txHash}`,
  );
  return body.messages[0];
}

test('ERC-20: transfer, approve and transferFrom change balances and allowances', async () => {
  const client = await TestClient.open();
  const [owner, spender] = await pair(client);

  const sent = await callAndSettle(
    client,
    owner,
    SEPOLIA_USDC,
    'transfer(address,uint256)',
    spender.address,
    '1500000',
  );
  expect(sent).toMatchObject({ state: 'COMPLETE', operation: 'CONTRACT_EXECUTION', contractAddress: SEPOLIA_USDC });
  expect(await client.balances(spender)).toMatchObject({ USDC: '1.5' });
  const { data } = await client.get(`/transactions?walletIds=${spender.id}&txType=INBOUND&txHash=${sent.txHash}`);
  expect(data.transactions).toEqual([
    expect.objectContaining({
      amounts: ['1.5'],
      tokenId: token('ETH-SEPOLIA', 'USDC'),
      sourceAddress: owner.address,
      state: 'COMPLETE',
    }),
  ]);

  await callAndSettle(client, owner, SEPOLIA_USDC, 'approve(address,uint256)', spender.address, '5000000');
  await callAndSettle(client, owner, SEPOLIA_USDC, 'increaseAllowance(address,uint256)', spender.address, '1000000');
  await callAndSettle(client, owner, SEPOLIA_USDC, 'decreaseAllowance(address,uint256)', spender.address, '3000000');
  const allowance = () => view(client, SEPOLIA_USDC, 'allowance(address,address)', owner.address, spender.address);
  expect(await allowance()).toBe('3000000');
  const take = 'transferFrom(address,address,uint256)';
  expect(await callAndSettle(client, spender, SEPOLIA_USDC, take, owner.address, STRANGER, '2000000')).toMatchObject({
    state: 'COMPLETE',
  });
  expect(await allowance()).toBe('1000000');
  expect(await view(client, SEPOLIA_USDC, 'balanceOf(address)', STRANGER)).toBe('2000000');
  expect(await estimate(client, spender, SEPOLIA_USDC, take, owner.address, STRANGER, '2000000')).toMatchObject({
    code: 155208,
    message: expect.stringContaining('exceeds allowance'),
  });

  await callAndSettle(client, owner, SEPOLIA_USDC, 'approve(address,uint256)', spender.address, MAX_UINT);
  await callAndSettle(client, spender, SEPOLIA_USDC, take, owner.address, STRANGER, '1');
  expect(await allowance()).toBe(MAX_UINT);
  expect(await client.audit()).toMatchObject({ ok: true });
});

describe('parameters of a Solidity type', () => {
  let client: TestClient;
  let wallet: Awaited<ReturnType<typeof pair>>[0];
  beforeAll(async () => {
    client = await TestClient.open();
    [wallet] = await pair(client);
  });
  const lower = STRANGER.toLowerCase();
  const damaged = STRANGER.replace('5a', '5A');
  const deep = (type: string, value: unknown, times: number): [string, unknown] =>
    times === 0 ? [type, value] : deep(`${type}[]`, [value], times - 1);

  test.each<[string, unknown[]]>([
    ['uint256', [5, 0, '5', '05', '0x10', MAX_UINT, Number.MAX_SAFE_INTEGER]],
    ['uint', ['5']],
    ['int8', [-128, '-128', 127]],
    ['bool', [true, false, 'true', 'false']],
    ['string', ['', 'a', '5']],
    ['bytes', ['0x', '0x12Ab']],
    ['bytes2', ['0x12ab']],
    ['address', [STRANGER, lower]],
    ['uint256[]', [[], [1, '2']]],
    ['uint256[2][]', [[[1, 2]], []]],
    ['(uint256 a, address b)', [['1', STRANGER], { b: STRANGER, a: '1' }]],
    ['(uint256, (bool, string[]))[]', [[[1, [true, ['x']]]]]],
    deep('bool', true, 60).map((part, n) => (n === 1 ? [part] : part)) as [string, unknown[]],
  ])('%s: valid values are accepted', async (type, values) => {
    for (const value of values) {
      expect(await estimate(client, wallet, STRANGER, `f(${type})`, value)).toMatchObject({ status: 200 });
    }
  });

  test.each<[string, unknown[]]>([
    [
      'uint256',
      [
        ['5'],
        [['5']],
        [],
        true,
        false,
        null,
        {},
        '',
        ' 5 ',
        '+5',
        '-1',
        -1,
        '5.0',
        5.5,
        '5e0',
        '0b11',
        '0o7',
        '1n',
        '٥',
      ],
    ],
    ['uint256', [2 ** 53, 1e21, `${MAX_UINT}0`, '0x', `0x1${'0'.repeat(64)}`, '9'.repeat(10_000)]],
    ['uint8', ['256', 256]],
    ['int8', ['128', -129]],
    ['bool', [0, 1, '0', '', 'yes', 'TRUE', null, []]],
    ['string', [5, null, {}, [], true]],
    ['bytes', ['zz', '', '0x1', '12ab', 5, [1, 2], null]],
    ['bytes2', ['0x12', '0x12abcd', '0x', 'ab']],
    ['address', ['0x0', damaged, 5, null, [STRANGER], '']],
    ['uint256[]', ['1', 1, { length: 1, 0: '1' }, [['1']], [null], null]],
    ['uint256[2]', [['1'], ['1', '2', '3']]],
    ['(uint256 a, address b)', [['1'], { a: '1' }, { a: '1', b: STRANGER, c: '1' }, '1', null]],
    ['(uint256, address)', [{ 0: '1', 1: STRANGER }]],
  ])('%s: other values are rejected', async (type, values) => {
    for (const value of values) {
      const response = await estimate(client, wallet, STRANGER, `f(${type})`, value);
      expect([value, response.code]).toEqual([value, 155209]);
    }
  });

  test('are checked the same way in transactions, queries, constructors and simulated events', async () => {
    const [, other] = await pair(client);
    expect(await call(client, wallet, SEPOLIA_USDC, 'transfer(address,uint256)', other.address, ['5'])).toMatchObject({
      code: 155209,
      message: 'Parameter 2 is not a valid uint256',
    });
    const balance = { abiFunctionSignature: 'balanceOf(address)', abiParameters: [[other.address]] };
    expect(await query(client, balance)).toMatchObject({ code: 155209 });
    const constructor = { constructorSignature: 'constructor(uint256)', bytecode: '0x60', walletId: wallet.id };
    for (const value of [['5'], true, '']) {
      const path = '/transactions/contractDeployment/estimateFee';
      expect(await client.send('POST', path, { ...constructor, constructorParameters: [value] })).toMatchObject({
        code: 155209,
      });
      const event = { blockchain: 'ETH-SEPOLIA', contractAddress: STRANGER, eventSignature: 'E(uint256 indexed)' };
      expect(await client.control('POST', '/contracts/events', { ...event, parameters: [value] })).toMatchObject({
        code: 2,
      });
    }
    for (const type of ['int0', 'uint0', 'uint7', 'uint999999999999', 'bytes33', 'thing']) {
      const abiJson = JSON.stringify([{ type: 'constructor', inputs: [{ type }] }]);
      const path = '/transactions/contractDeployment/estimateFee';
      const body = { walletId: wallet.id, bytecode: '0x60', abiJson, constructorParameters: ['0'] };
      expect(await client.send('POST', path, body)).toMatchObject({ code: 155209 });
    }
  });
});

test('a call that reverts is FAILED_ON_CHAIN, pays its fee and moves nothing', async () => {
  const client = await TestClient.open();
  const [owner, other] = await pair(client);
  const sent = await call(client, owner, SEPOLIA_USDC, 'transfer(address,uint256)', other.address, '100000001');
  expect(sent.status).toBe(201);
  await client.settle();
  const transaction = await client.transaction(sent.data.id);
  expect(transaction).toMatchObject({
    state: 'FAILED',
    errorReason: 'FAILED_ON_CHAIN',
    errorDetails: 'ERC20: transfer amount exceeds balance',
    networkFee: expect.stringMatching(/^0\.0\d+$/),
  });
  expect((await client.balances(owner)).USDC).toBe('100');
  expect(Number((await client.balances(owner)).ETH)).toBeLessThan(1);
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('the tokens of a call are reserved until it settles and released if it is denied', async () => {
  const client = await TestClient.open();
  const [owner] = await pair(client);
  await client.world.control.call('POST', '/transactions/next', { deny: true });
  await call(client, owner, SEPOLIA_USDC, 'transfer(address,uint256)', STRANGER, '60000000');
  expect(await client.transfer(owner, { amounts: ['50'] })).toMatchObject({ code: 155201 });
  await client.settle();
  expect(await client.transfer(owner, { amounts: ['50'] })).toMatchObject({ status: 201 });
  await client.settle();
  expect((await client.balances(owner)).USDC).toBe('50');
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('an account or a contract with unknown code accepts native tokens, a token contract does not', async () => {
  const client = await TestClient.open();
  const [owner, other] = await pair(client);
  const execute = (contractAddress: string) =>
    client.postWithKey('/developer/transactions/contractExecution', {
      walletId: owner.id,
      contractAddress,
      callData: '0x',
      amount: '0.25',
      feeLevel: 'LOW',
    });
  const { data } = await execute(other.address);
  await client.settle();
  expect(await client.transaction(data.id)).toMatchObject({ state: 'COMPLETE', amounts: ['0.25'] });
  expect((await client.balances(other)).ETH).toBe('1.25');
  const rejected = await execute(SEPOLIA_USDC);
  await client.settle();
  expect(await client.transaction(rejected.data.id)).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('only its admin can mint a token of the template, which appears as a balance and can be transferred', async () => {
  const client = await TestClient.open();
  const [admin, other] = await pair(client);
  const address = await deployAndSettle(client, admin, 'ERC20');
  const mint = 'mintTo(address,uint256)';
  expect(await estimate(client, other, address, mint, other.address, '1')).toMatchObject({ code: 155208 });
  await callAndSettle(client, admin, address, mint, admin.address, '3000000000000000000');
  expect((await client.balances(admin)).PTS).toBe('3');
  const { data } = await client.get(`/wallets/${admin.id}/balances?tokenAddress=${address}`);
  expect(data.tokenBalances[0].token).toMatchObject({ name: 'Points', standard: 'ERC20', decimals: 18 });
  await client.transfer(admin, {
    tokenId: data.tokenBalances[0].token.id,
    destinationAddress: other.address,
    amounts: ['1.5'],
  });
  await callAndSettle(client, admin, address, 'burn(uint256)', '500000000000000000');
  expect((await client.balances(admin)).PTS).toBe('1');
  expect((await client.balances(other)).PTS).toBe('1.5');
  expect(await view(client, address, 'totalSupply()')).toBe('2500000000000000000');
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('ERC-721: ids, owners, approvals and operators follow the standard', async () => {
  const client = await TestClient.open();
  const [admin, other] = await pair(client);
  const address = await deployAndSettle(client, admin, 'ERC721');
  for (const uri of ['ipfs://a', 'ipfs://b']) {
    await callAndSettle(client, admin, address, 'mintTo(address,string)', admin.address, uri);
  }
  expect(await view(client, address, 'tokenURI(uint256)', '1')).toBe('ipfs://b');
  expect(await view(client, address, 'balanceOf(address)', admin.address)).toBe('2');
  expect(await view(client, address, 'totalSupply()')).toBe('2');
  expect(await view(client, address, 'supportsInterface(bytes4)', '0x80ac58cd')).toBe(true);
  const ownerOf = async (id: string) => String(await view(client, address, 'ownerOf(uint256)', id)).toLowerCase();

  const move = 'safeTransferFrom(address,address,uint256)';
  expect(await estimate(client, other, address, move, admin.address, other.address, '0')).toMatchObject({
    code: 155206,
  });
  await callAndSettle(client, admin, address, 'approve(address,uint256)', other.address, '0');
  expect(await view(client, address, 'getApproved(uint256)', '0')).toBe(other.address);
  expect(await callAndSettle(client, other, address, move, admin.address, other.address, '0')).toMatchObject({
    state: 'COMPLETE',
  });
  expect(await ownerOf('0')).toBe(other.address.toLowerCase());
  // An approval ends when the owner changes.
  expect(await view(client, address, 'getApproved(uint256)', '0')).toBe(`0x${'0'.repeat(40)}`);
  await callAndSettle(client, admin, address, 'setApprovalForAll(address,bool)', other.address, true);
  await callAndSettle(client, other, address, 'transferFrom(address,address,uint256)', admin.address, STRANGER, '1');
  expect(await ownerOf('1')).toBe(STRANGER.toLowerCase());

  const { data } = await client.get(`/wallets/${other.id}/nfts`);
  expect(data.nfts).toEqual([expect.objectContaining({ nftTokenId: '0', amount: '1' })]);
  await callAndSettle(client, other, address, 'burn(uint256)', '0');
  expect(await view(client, address, 'totalSupply()')).toBe('1');
  expect(await estimate(client, other, address, 'burn(uint256)', '0')).toMatchObject({ code: 155208 });
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('ERC-1155: new ids, batches and operators follow the standard', async () => {
  const client = await TestClient.open();
  const [admin, other] = await pair(client);
  const address = await deployAndSettle(client, admin, 'ERC1155');
  const mint = 'mintTo(address,uint256,string,uint256)';
  await callAndSettle(client, admin, address, mint, admin.address, MAX_UINT, 'ipfs://0', '10');
  await callAndSettle(client, admin, address, mint, admin.address, MAX_UINT, 'ipfs://1', '5');
  const batch = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';
  await callAndSettle(client, admin, address, batch, admin.address, other.address, ['0', '1'], ['4', '5'], '0x');
  expect(
    await view(client, address, 'balanceOfBatch(address[],uint256[])', [admin.address, other.address], ['0', '1']),
  ).toEqual(['6', '5']);
  expect(await view(client, address, 'uri(uint256)', '1')).toBe('ipfs://1');
  const move = 'safeTransferFrom(address,address,uint256,uint256,bytes)';
  expect(await estimate(client, admin, address, move, admin.address, STRANGER, '1', '1', '0x')).toMatchObject({
    code: 155205,
  });
  expect(await estimate(client, other, address, move, admin.address, STRANGER, '0', '1', '0x')).toMatchObject({
    code: 155206,
  });
  const { data } = await client.get(`/transactions?walletIds=${other.id}&txType=INBOUND&operation=TRANSFER`);
  expect(data.transactions[0]).toMatchObject({ amounts: ['4', '5'], nfts: [expect.any(String), expect.any(String)] });
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('an airdrop reaches every recipient or none', async () => {
  const client = await TestClient.open();
  const [admin, other] = await pair(client);
  const address = await deployAndSettle(client, admin, 'airdrop');
  await callAndSettle(client, admin, SEPOLIA_USDC, 'approve(address,uint256)', address, '10000000');
  const drop = async (amounts: string[]) => {
    const callData = encodeFunctionData({
      abi: parseAbi([
        'struct C { address recipient; uint256 amount; }',
        'function airdropERC20(address token, C[] contents)',
      ]),
      args: [
        SEPOLIA_USDC,
        amounts.map((amount, n) => ({ recipient: (n ? STRANGER : other.address) as Hex, amount: BigInt(amount) })),
      ],
    });
    const { data } = await client.postWithKey('/developer/transactions/contractExecution', {
      walletId: admin.id,
      contractAddress: address,
      callData,
      feeLevel: 'MEDIUM',
    });
    await client.settle();
    return client.transaction(data.id as string);
  };
  expect(await drop(['6000000', '5000000'])).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
  expect(await client.balances(other)).not.toHaveProperty('USDC');
  expect(await drop(['6000000', '4000000'])).toMatchObject({ state: 'COMPLETE' });
  expect(await client.balances(other)).toMatchObject({ USDC: '6' });
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('a cross-chain transfer is burned by one wallet and minted once by another', async () => {
  const client = await TestClient.open();
  const [from] = await pair(client);
  const [to] = await pair(client, 'BASE-SEPOLIA');
  const deposit = (maxFee: string) =>
    [from, MESSENGER, DEPOSIT, '40000000', 6, bytes32(to.address), SEPOLIA_USDC, UNKNOWN_ID, maxFee, 1000] as const;

  expect(await estimate(client, ...deposit('10000'))).toMatchObject({
    code: 155208,
    message: expect.stringContaining('allowance'),
  });
  await callAndSettle(client, from, SEPOLIA_USDC, 'approve(address,uint256)', MESSENGER, '40000000');
  expect(await estimate(client, ...deposit('40000000'))).toMatchObject({ code: 155208 });
  await client.world.control.changeSettings({ lowBurnFee: 'reverts' });
  expect(await estimate(client, ...deposit('3999'))).toMatchObject({
    code: 155208,
    message: expect.stringContaining('Insufficient max fee'),
  });
  await client.world.control.changeSettings({ lowBurnFee: 'standard' });
  expect((await estimate(client, ...deposit('3999'))).status).toBe(200);
  const { data } = await call(client, ...deposit('10000'));
  await client.world.control.advance(60_000);
  expect((await client.balances(from)).USDC).toBe('60');
  const burned = await client.transaction(data.id);

  const attested = await messageOf(client, burned.txHash);
  expect(attested).toMatchObject({
    status: 'complete',
    decodedMessage: { decodedMessageBody: { amount: '40000000' } },
  });
  expect(attested.decodedMessage.decodedMessageBody.messageSender.toLowerCase()).toContain(
    from.address.slice(2).toLowerCase(),
  );

  const receive = 'receiveMessage(bytes,bytes)';
  const { message, attestation } = attested;
  const wrong = `0x${'11'.repeat(130)}`;
  expect(await estimate(client, to, TRANSMITTER, receive, message, wrong)).toMatchObject({ code: 155208 });
  const minted = await callAndSettle(client, to, TRANSMITTER, receive, message, attestation);
  expect(minted).toMatchObject({ state: 'COMPLETE' });
  // A fast burn has a fee of one basis point.
  expect((await client.balances(to)).USDC).toBe('139.996');
  expect(await estimate(client, to, TRANSMITTER, receive, message, attestation)).toMatchObject({
    code: 155208,
    message: expect.stringContaining('Nonce already used'),
  });
  const again = await callAndSettle(client, to, TRANSMITTER, receive, message, attestation);
  expect(again).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN', errorDetails: 'Nonce already used' });
  expect(await client.audit()).toMatchObject({ ok: true });
});

test('a fast message expires on the destination', async () => {
  const client = await TestClient.open();
  const [from] = await pair(client);
  const [to] = await pair(client, 'BASE-SEPOLIA');
  await callAndSettle(client, from, SEPOLIA_USDC, 'approve(address,uint256)', MESSENGER, MAX_UINT);
  const burned = await callAndSettle(
    client,
    ...([from, MESSENGER, DEPOSIT, '1000000', 6, bytes32(to.address), SEPOLIA_USDC, UNKNOWN_ID, '1000', 1000] as const),
  );
  const { message, attestation } = await messageOf(client, burned.txHash);
  await client.world.control.advance(25 * 3_600_000);
  const minted = await callAndSettle(client, to, TRANSMITTER, 'receiveMessage(bytes,bytes)', message, attestation);
  expect(minted).toMatchObject({ state: 'FAILED', errorDetails: expect.stringContaining('expired') });
});

test('a smart-contract wallet sends calls as user operations', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet('ETH-SEPOLIA', 'SCA');
  await client.fund(wallet, { USDC: '5' });
  await importContract(client);
  await monitor(client);
  await callAndSettle(client, wallet, SEPOLIA_USDC, 'transfer(address,uint256)', STRANGER, '2000000');
  expect((await client.balances(wallet)).USDC).toBe('3');
  const { data } = await client.get('/contracts/events');
  expect(data.eventLogs[0].userOpHash).toMatch(/^0x[0-9a-f]{64}$/);
});

describe('a reorg reverts', () => {
  const APPROVE = 'approve(address,uint256)';
  const ALLOWANCE = 'allowance(address,address)';
  const RECEIVE = 'receiveMessage(bytes,bytes)';
  const reorg = (client: TestClient, id: string) => client.control('POST', `/transactions/${id}/reorg`);

  /** Sends a call or another request and waits until it is in a block. */
  async function inBlock(client: TestClient, sent: ReturnType<typeof call>) {
    const { data } = await sent;
    const id = (data.id ?? data.transactionId) as string;
    for (let n = 0; n < 30 && (await client.transaction(id)).state !== 'CONFIRMED'; n++) {
      await client.world.control.advance(500);
    }
    return client.transaction(id);
  }

  test('approvals, their use and logs, but not while a later call depends on them', async () => {
    const client = await TestClient.open();
    const [owner, spender] = await pair(client);
    await importContract(client);
    await monitor(client, { eventSignature: 'Approval(address,address,uint256)' });
    const allowance = () => view(client, SEPOLIA_USDC, ALLOWANCE, owner.address, spender.address);
    const logs = async () => (await client.get('/contracts/events')).data.eventLogs.length as number;
    const approved = await inBlock(client, call(client, owner, SEPOLIA_USDC, APPROVE, spender.address, '5000000'));
    expect([String(await allowance()), await logs()]).toEqual(['5000000', 1]);
    const pull = [spender, SEPOLIA_USDC, 'transferFrom(address,address,uint256)'] as const;
    await client.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 0 });
    const pulled = await inBlock(client, call(client, ...pull, owner.address, spender.address, '2000000'));
    expect(pulled).toMatchObject({ state: 'CONFIRMED' });
    expect(await reorg(client, approved.id)).toMatchObject({ status: 400, code: 155229 });
    expect(await client.transaction(approved.id)).toMatchObject({ state: 'CONFIRMED' });

    expect(await reorg(client, pulled.id)).toMatchObject({ status: 200 });
    expect(String(await allowance())).toBe('5000000');
    expect((await client.balances(owner)).USDC).toBe('100');
    expect(await reorg(client, approved.id)).toMatchObject({ status: 200 });
    expect([String(await allowance()), await logs()]).toEqual(['0', 0]);
    await client.settle();
    const late = await callAndSettle(client, ...pull, owner.address, spender.address, '1');
    expect(late).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    expect((await client.audit()).problems).toEqual([]);
  });

  test('a burn until it is attested', async () => {
    const client = await TestClient.open();
    const [from] = await pair(client);
    const [to] = await pair(client, 'BASE-SEPOLIA');
    await callAndSettle(client, from, SEPOLIA_USDC, APPROVE, MESSENGER, MAX_UINT);
    const burn = () => {
      const content = ['40000000', 6, bytes32(to.address), SEPOLIA_USDC, UNKNOWN_ID, '10000', 1000];
      return inBlock(client, call(client, from, MESSENGER, DEPOSIT, ...content));
    };
    const { id } = await burn();
    expect((await client.balances(from)).USDC).toBe('60');
    await client.world.control.advance(3_000);
    expect(await reorg(client, id)).toMatchObject({ status: 200 });
    await client.settle();
    expect((await client.balances(from)).USDC).toBe('100');
    expect((await client.control('GET', '/burns')).body.burns).toEqual([]);
    expect((await client.audit()).problems).toEqual([]);

    const attested = await burn();
    await client.world.control.advance(20_000);
    expect(await messageOf(client, attested.txHash)).toMatchObject({ status: 'complete' });
    expect(await reorg(client, attested.id)).toMatchObject({ status: 400, code: 155229 });
    await client.settle();
    expect(await client.transaction(attested.id)).toMatchObject({ state: 'COMPLETE' });
    expect((await client.audit()).problems).toEqual([]);
  });

  test('a mint from any sender, and the message can be minted again', async () => {
    const client = await TestClient.open();
    const [to] = await pair(client, 'BASE-SEPOLIA');
    const burned = { sourceDomain: 0, destinationDomain: 6, amount: '7000000', mintRecipient: to.address };
    const { txHash } = (await client.control('POST', '/burns', burned)).body;
    await client.world.control.advance(3_600_000);
    const { message, attestation } = await messageOf(client, txHash);
    const own = await inBlock(client, call(client, to, TRANSMITTER, RECEIVE, message, attestation));
    expect((await client.balances(to)).USDC).toBe('107');
    expect(await reorg(client, own.id)).toMatchObject({ status: 200 });
    expect((await client.balances(to)).USDC).toBe('100');
    expect((await client.audit()).problems).toEqual([]);

    const mint = { destinationDomain: 6, message, attestation };
    const foreignMint = (await client.control('POST', '/mints', mint)).body;
    expect(foreignMint).toMatchObject({ state: 'minted' });
    await client.world.control.advance(3_000);
    const [inbound] = (await client.get(`/transactions?txHash=${foreignMint.txHash}`)).data.transactions;
    expect(inbound).toMatchObject({ transactionType: 'INBOUND', state: 'CONFIRMED', amounts: ['7'] });
    expect(await reorg(client, inbound.id)).toMatchObject({ status: 200 });
    expect(await callAndSettle(client, to, TRANSMITTER, RECEIVE, message, attestation)).toMatchObject({
      state: 'COMPLETE',
    });
    expect((await client.balances(to)).USDC).toBe('107');
    expect((await client.audit()).problems).toEqual([]);
  });

  test('a mint of the forwarding service, which then mints again', async () => {
    const client = await TestClient.open();
    const [to] = await pair(client, 'BASE-SEPOLIA');
    const hookData = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`;
    const fast = { minFinalityThreshold: 1000, maxFee: '260000', hookData };
    const burned = { sourceDomain: 0, destinationDomain: 6, amount: '100000000', mintRecipient: to.address, ...fast };
    const { txHash } = (await client.control('POST', '/burns', burned)).body;
    await client.world.control.advance(28_000);
    const before = await messageOf(client, txHash);
    const [inbound] = (await client.get(`/transactions?txHash=${before.forwardTxHash}`)).data.transactions;
    expect(await reorg(client, inbound.id)).toMatchObject({ status: 200 });
    const again = await messageOf(client, txHash);
    expect(again).toMatchObject({ forwardState: 'PENDING' });
    expect(again).not.toHaveProperty('forwardTxHash');
    await client.settle();
    const after = await messageOf(client, txHash);
    expect(after.forwardState).toBe('COMPLETE');
    expect(after.forwardTxHash).not.toBe(before.forwardTxHash);
    expect((await client.balances(to)).USDC).toBe('199.79');
    expect((await client.audit()).problems).toEqual([]);
  });

  test('a deployment until its contract is used', async () => {
    const client = await TestClient.open();
    const [admin] = await pair(client);
    await client.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 0 });
    const { id, contractAddress } = await inBlock(client, deployTemplate(client, admin, 'ERC20'));
    const minting = [admin, contractAddress, 'mintTo(address,uint256)', admin.address, '7'] as const;
    const minted = await inBlock(client, call(client, ...minting));
    expect(await reorg(client, id)).toMatchObject({ status: 400, code: 155229 });
    expect(await reorg(client, minted.id)).toMatchObject({ status: 200 });
    expect(await reorg(client, id)).toMatchObject({ status: 200 });
    expect((await client.transaction(id)).contractAddress).toBeUndefined();
    // The contract no longer exists, so a call does nothing.
    await callAndSettle(client, ...minting);
    expect(await client.balances(admin)).toEqual({ ETH: expect.any(String), USDC: '100' });
    expect((await client.control('GET', '/tokens')).body.tokens).not.toContainEqual(
      expect.objectContaining({ tokenAddress: contractAddress }),
    );
    expect((await client.audit()).problems).toEqual([]);
  });

  test('nothing if the recipient has spent part of the funds', async () => {
    const client = await TestClient.open();
    const [admin, other] = await pair(client);
    const airdrop = await deployAndSettle(client, admin, 'airdrop');
    await callAndSettle(client, admin, SEPOLIA_USDC, APPROVE, airdrop, '10000000');
    const twice = [1, 2].map(() => [other.address, '3000000']);
    const drop = 'airdropERC20(address,(address,uint256)[])';
    const { id } = await inBlock(client, call(client, admin, airdrop, drop, SEPOLIA_USDC, twice));
    await client.world.control.call('POST', `/wallets/${other.id}/broadcast`, {
      tokenId: token('ETH-SEPOLIA', 'USDC'),
      amount: '2',
    });
    expect(await reorg(client, id)).toMatchObject({ status: 400, code: 155229 });
    expect([(await client.balances(admin)).USDC, (await client.balances(other)).USDC]).toEqual(['94', '4']);
    await client.fund(other, { native: '1' });
    expect(await client.transaction(id)).toMatchObject({ state: 'COMPLETE' });
    expect((await client.audit()).problems).toEqual([]);
  });
});
