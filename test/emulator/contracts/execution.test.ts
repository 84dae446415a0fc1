import { encodeFunctionData, parseAbi, type Hex } from 'viem';
import { closeOwnEmulator } from '../../support/emulator';
import { request } from '../attestation/support';
import { Chain, STRANGER, token } from '../chain/support';
import { USDC, call, called, deployTemplate, deployed, estimate, importContract, monitor, query } from './support';

afterAll(closeOwnEmulator);

const SEPOLIA_USDC = USDC['ETH-SEPOLIA'];
const MESSENGER = '0x8FE6B999Dc680CcFDD5Bf7EB0974218be2542DAA';
const TRANSMITTER = '0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275';
const DEPOSIT = 'depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)';
const NOBODY = `0x${'0'.repeat(64)}`;

const bytes32 = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const MAX_UINT = (2n ** 256n - 1n).toString();

/** Two wallets, the first with money. */
async function pair(chain: Chain, blockchain = 'ETH-SEPOLIA') {
  const [first, second] = await chain.wallets({ blockchains: [blockchain], count: 2 });
  await chain.fund(first!, { native: '1', USDC: '100' });
  await chain.fund(second!, { native: '1' });
  return [first!, second!] as const;
}

async function view(chain: Chain, address: string, abiFunctionSignature: string, ...abiParameters: unknown[]) {
  const { data } = await query(chain, { address, abiFunctionSignature, abiParameters });
  return data.outputValues[0] as unknown;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers by path
async function messageOf(chain: Chain, txHash: string): Promise<any> {
  const { body } = await request(
    await chain.world.control.attestationHost(),
    'GET',
    `/v2/messages/0?transactionHash=${txHash}`,
  );
  return body.messages[0];
}

test('ERC-20: transfer, approve and transferFrom move balances and keep allowances', async () => {
  const chain = await Chain.open();
  const [owner, spender] = await pair(chain);

  const sent = await called(chain, owner, SEPOLIA_USDC, 'transfer(address,uint256)', spender.address, '1500000');
  expect(sent).toMatchObject({ state: 'COMPLETE', operation: 'CONTRACT_EXECUTION', contractAddress: SEPOLIA_USDC });
  expect(await chain.balances(spender)).toMatchObject({ USDC: '1.5' });
  const { data } = await chain.get(`/transactions?walletIds=${spender.id}&txType=INBOUND&txHash=${sent.txHash}`);
  expect(data.transactions).toEqual([
    expect.objectContaining({
      amounts: ['1.5'],
      tokenId: token('ETH-SEPOLIA', 'USDC'),
      sourceAddress: owner.address,
      state: 'COMPLETE',
    }),
  ]);

  await called(chain, owner, SEPOLIA_USDC, 'approve(address,uint256)', spender.address, '5000000');
  await called(chain, owner, SEPOLIA_USDC, 'increaseAllowance(address,uint256)', spender.address, '1000000');
  await called(chain, owner, SEPOLIA_USDC, 'decreaseAllowance(address,uint256)', spender.address, '3000000');
  const allowance = () => view(chain, SEPOLIA_USDC, 'allowance(address,address)', owner.address, spender.address);
  expect(await allowance()).toBe('3000000');
  const take = 'transferFrom(address,address,uint256)';
  expect(await called(chain, spender, SEPOLIA_USDC, take, owner.address, STRANGER, '2000000')).toMatchObject({
    state: 'COMPLETE',
  });
  expect(await allowance()).toBe('1000000');
  expect(await view(chain, SEPOLIA_USDC, 'balanceOf(address)', STRANGER)).toBe('2000000');
  expect(await estimate(chain, spender, SEPOLIA_USDC, take, owner.address, STRANGER, '2000000')).toMatchObject({
    code: 155208,
    message: expect.stringContaining('exceeds allowance'),
  });

  await called(chain, owner, SEPOLIA_USDC, 'approve(address,uint256)', spender.address, MAX_UINT);
  await called(chain, spender, SEPOLIA_USDC, take, owner.address, STRANGER, '1');
  expect(await allowance()).toBe(MAX_UINT);
  expect(await chain.audit()).toMatchObject({ ok: true });
});

describe('a type of Solidity takes', () => {
  let chain: Chain;
  let wallet: Awaited<ReturnType<typeof pair>>[0];
  beforeAll(async () => {
    chain = await Chain.open();
    [wallet] = await pair(chain);
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
  ])('%s: what is of its kind', async (type, values) => {
    for (const value of values) {
      expect(await estimate(chain, wallet, STRANGER, `f(${type})`, value)).toMatchObject({ status: 200 });
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
  ])('%s: nothing else', async (type, values) => {
    for (const value of values) {
      const answer = await estimate(chain, wallet, STRANGER, `f(${type})`, value);
      expect([value, answer.code]).toEqual([value, 155209]);
    }
  });

  test('the same in transactions, queries, constructors and events that are made up', async () => {
    const [, other] = await pair(chain);
    expect(await call(chain, wallet, SEPOLIA_USDC, 'transfer(address,uint256)', other.address, ['5'])).toMatchObject({
      code: 155209,
      message: 'Parameter 2 is no uint256',
    });
    const balance = { abiFunctionSignature: 'balanceOf(address)', abiParameters: [[other.address]] };
    expect(await query(chain, balance)).toMatchObject({ code: 155209 });
    const constructor = { constructorSignature: 'constructor(uint256)', bytecode: '0x60', walletId: wallet.id };
    for (const value of [['5'], true, '']) {
      const path = '/transactions/contractDeployment/estimateFee';
      expect(await chain.send('POST', path, { ...constructor, constructorParameters: [value] })).toMatchObject({
        code: 155209,
      });
      const event = { blockchain: 'ETH-SEPOLIA', contractAddress: STRANGER, eventSignature: 'E(uint256 indexed)' };
      expect(await chain.control('POST', '/contracts/events', { ...event, parameters: [value] })).toMatchObject({
        code: 2,
      });
    }
    for (const type of ['int0', 'uint0', 'uint7', 'uint999999999999', 'bytes33', 'thing']) {
      const abiJson = JSON.stringify([{ type: 'constructor', inputs: [{ type }] }]);
      const path = '/transactions/contractDeployment/estimateFee';
      const body = { walletId: wallet.id, bytecode: '0x60', abiJson, constructorParameters: ['0'] };
      expect(await chain.send('POST', path, body)).toMatchObject({ code: 155209 });
    }
  });
});

test('what reverts on landing is FAILED_ON_CHAIN, has paid its fee and moved nothing', async () => {
  const chain = await Chain.open();
  const [owner, other] = await pair(chain);
  const sent = await call(chain, owner, SEPOLIA_USDC, 'transfer(address,uint256)', other.address, '100000001');
  expect(sent.status).toBe(201);
  await chain.settle();
  const transaction = await chain.transaction(sent.data.id);
  expect(transaction).toMatchObject({
    state: 'FAILED',
    errorReason: 'FAILED_ON_CHAIN',
    errorDetails: 'ERC20: transfer amount exceeds balance',
    networkFee: expect.stringMatching(/^0\.0\d+$/),
  });
  expect((await chain.balances(owner)).USDC).toBe('100');
  expect(Number((await chain.balances(owner)).ETH)).toBeLessThan(1);
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('what a call takes is set apart until it lands, and free again when it is denied', async () => {
  const chain = await Chain.open();
  const [owner] = await pair(chain);
  await chain.world.control.call('POST', '/transactions/next', { deny: true });
  await call(chain, owner, SEPOLIA_USDC, 'transfer(address,uint256)', STRANGER, '60000000');
  expect(await chain.transfer(owner, { amounts: ['50'] })).toMatchObject({ code: 155201 });
  await chain.settle();
  expect(await chain.transfer(owner, { amounts: ['50'] })).toMatchObject({ status: 201 });
  await chain.settle();
  expect((await chain.balances(owner)).USDC).toBe('50');
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('an account and a contract of unknown code take native tokens, a token contract does not', async () => {
  const chain = await Chain.open();
  const [owner, other] = await pair(chain);
  const execute = (contractAddress: string) =>
    chain.effect('/developer/transactions/contractExecution', {
      walletId: owner.id,
      contractAddress,
      callData: '0x',
      amount: '0.25',
      feeLevel: 'LOW',
    });
  const { data } = await execute(other.address);
  await chain.settle();
  expect(await chain.transaction(data.id)).toMatchObject({ state: 'COMPLETE', amounts: ['0.25'] });
  expect((await chain.balances(other)).ETH).toBe('1.25');
  const refused = await execute(SEPOLIA_USDC);
  await chain.settle();
  expect(await chain.transaction(refused.data.id)).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('a token of the template is minted by its admin alone, shown as balance, and transferred by the API', async () => {
  const chain = await Chain.open();
  const [admin, other] = await pair(chain);
  const address = await deployed(chain, admin, 'ERC20');
  const mint = 'mintTo(address,uint256)';
  expect(await estimate(chain, other, address, mint, other.address, '1')).toMatchObject({ code: 155208 });
  await called(chain, admin, address, mint, admin.address, '3000000000000000000');
  expect((await chain.balances(admin)).PTS).toBe('3');
  const { data } = await chain.get(`/wallets/${admin.id}/balances?tokenAddress=${address}`);
  expect(data.tokenBalances[0].token).toMatchObject({ name: 'Points', standard: 'ERC20', decimals: 18 });
  await chain.transfer(admin, {
    tokenId: data.tokenBalances[0].token.id,
    destinationAddress: other.address,
    amounts: ['1.5'],
  });
  await called(chain, admin, address, 'burn(uint256)', '500000000000000000');
  expect((await chain.balances(admin)).PTS).toBe('1');
  expect((await chain.balances(other)).PTS).toBe('1.5');
  expect(await view(chain, address, 'totalSupply()')).toBe('2500000000000000000');
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('ERC-721: ids, owners, approvals and operators', async () => {
  const chain = await Chain.open();
  const [admin, other] = await pair(chain);
  const address = await deployed(chain, admin, 'ERC721');
  for (const uri of ['ipfs://a', 'ipfs://b']) {
    await called(chain, admin, address, 'mintTo(address,string)', admin.address, uri);
  }
  expect(await view(chain, address, 'tokenURI(uint256)', '1')).toBe('ipfs://b');
  expect(await view(chain, address, 'balanceOf(address)', admin.address)).toBe('2');
  expect(await view(chain, address, 'totalSupply()')).toBe('2');
  expect(await view(chain, address, 'supportsInterface(bytes4)', '0x80ac58cd')).toBe(true);
  const ownerOf = async (id: string) => String(await view(chain, address, 'ownerOf(uint256)', id)).toLowerCase();

  const move = 'safeTransferFrom(address,address,uint256)';
  expect(await estimate(chain, other, address, move, admin.address, other.address, '0')).toMatchObject({
    code: 155206,
  });
  await called(chain, admin, address, 'approve(address,uint256)', other.address, '0');
  expect(await view(chain, address, 'getApproved(uint256)', '0')).toBe(other.address);
  expect(await called(chain, other, address, move, admin.address, other.address, '0')).toMatchObject({
    state: 'COMPLETE',
  });
  expect(await ownerOf('0')).toBe(other.address.toLowerCase());
  // An approval ends with the owner who gave it.
  expect(await view(chain, address, 'getApproved(uint256)', '0')).toBe(`0x${'0'.repeat(40)}`);
  await called(chain, admin, address, 'setApprovalForAll(address,bool)', other.address, true);
  await called(chain, other, address, 'transferFrom(address,address,uint256)', admin.address, STRANGER, '1');
  expect(await ownerOf('1')).toBe(STRANGER.toLowerCase());

  const { data } = await chain.get(`/wallets/${other.id}/nfts`);
  expect(data.nfts).toEqual([expect.objectContaining({ nftTokenId: '0', amount: '1' })]);
  await called(chain, other, address, 'burn(uint256)', '0');
  expect(await view(chain, address, 'totalSupply()')).toBe('1');
  expect(await estimate(chain, other, address, 'burn(uint256)', '0')).toMatchObject({ code: 155208 });
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('ERC-1155: new ids, batches and operators', async () => {
  const chain = await Chain.open();
  const [admin, other] = await pair(chain);
  const address = await deployed(chain, admin, 'ERC1155');
  const mint = 'mintTo(address,uint256,string,uint256)';
  await called(chain, admin, address, mint, admin.address, MAX_UINT, 'ipfs://0', '10');
  await called(chain, admin, address, mint, admin.address, MAX_UINT, 'ipfs://1', '5');
  const batch = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';
  await called(chain, admin, address, batch, admin.address, other.address, ['0', '1'], ['4', '5'], '0x');
  expect(
    await view(chain, address, 'balanceOfBatch(address[],uint256[])', [admin.address, other.address], ['0', '1']),
  ).toEqual(['6', '5']);
  expect(await view(chain, address, 'uri(uint256)', '1')).toBe('ipfs://1');
  const move = 'safeTransferFrom(address,address,uint256,uint256,bytes)';
  expect(await estimate(chain, admin, address, move, admin.address, STRANGER, '1', '1', '0x')).toMatchObject({
    code: 155205,
  });
  expect(await estimate(chain, other, address, move, admin.address, STRANGER, '0', '1', '0x')).toMatchObject({
    code: 155206,
  });
  const { data } = await chain.get(`/transactions?walletIds=${other.id}&txType=INBOUND&operation=TRANSFER`);
  expect(data.transactions[0]).toMatchObject({ amounts: ['4', '5'], nfts: [expect.any(String), expect.any(String)] });
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('an airdrop reaches all, or nobody', async () => {
  const chain = await Chain.open();
  const [admin, other] = await pair(chain);
  const address = await deployed(chain, admin, 'airdrop');
  await called(chain, admin, SEPOLIA_USDC, 'approve(address,uint256)', address, '10000000');
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
    const { data } = await chain.effect('/developer/transactions/contractExecution', {
      walletId: admin.id,
      contractAddress: address,
      callData,
      feeLevel: 'MEDIUM',
    });
    await chain.settle();
    return chain.transaction(data.id as string);
  };
  expect(await drop(['6000000', '5000000'])).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
  expect(await chain.balances(other)).not.toHaveProperty('USDC');
  expect(await drop(['6000000', '4000000'])).toMatchObject({ state: 'COMPLETE' });
  expect(await chain.balances(other)).toMatchObject({ USDC: '6' });
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('cross-chain: burned by one wallet, minted by another, once', async () => {
  const chain = await Chain.open();
  const [from] = await pair(chain);
  const [to] = await pair(chain, 'BASE-SEPOLIA');
  const deposit = (maxFee: string) =>
    [from, MESSENGER, DEPOSIT, '40000000', 6, bytes32(to.address), SEPOLIA_USDC, NOBODY, maxFee, 1000] as const;

  expect(await estimate(chain, ...deposit('10000'))).toMatchObject({
    code: 155208,
    message: expect.stringContaining('allowance'),
  });
  await called(chain, from, SEPOLIA_USDC, 'approve(address,uint256)', MESSENGER, '40000000');
  expect(await estimate(chain, ...deposit('40000000'))).toMatchObject({ code: 155208 });
  const { data } = await call(chain, ...deposit('10000'));
  await chain.world.control.advance(60_000);
  expect((await chain.balances(from)).USDC).toBe('60');
  const burned = await chain.transaction(data.id);

  const attested = await messageOf(chain, burned.txHash);
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
  expect(await estimate(chain, to, TRANSMITTER, receive, message, wrong)).toMatchObject({ code: 155208 });
  const minted = await called(chain, to, TRANSMITTER, receive, message, attestation);
  expect(minted).toMatchObject({ state: 'COMPLETE' });
  // Fast: a basis point of fee.
  expect((await chain.balances(to)).USDC).toBe('139.996');
  expect(await estimate(chain, to, TRANSMITTER, receive, message, attestation)).toMatchObject({
    code: 155208,
    message: expect.stringContaining('Nonce already used'),
  });
  const again = await called(chain, to, TRANSMITTER, receive, message, attestation);
  expect(again).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN', errorDetails: 'Nonce already used' });
  expect(await chain.audit()).toMatchObject({ ok: true });
});

test('a fast message expires on its destination', async () => {
  const chain = await Chain.open();
  const [from] = await pair(chain);
  const [to] = await pair(chain, 'BASE-SEPOLIA');
  await called(chain, from, SEPOLIA_USDC, 'approve(address,uint256)', MESSENGER, MAX_UINT);
  const burned = await called(
    chain,
    ...([from, MESSENGER, DEPOSIT, '1000000', 6, bytes32(to.address), SEPOLIA_USDC, NOBODY, '1000', 1000] as const),
  );
  const { message, attestation } = await messageOf(chain, burned.txHash);
  await chain.world.control.advance(25 * 3_600_000);
  const landed = await called(chain, to, TRANSMITTER, 'receiveMessage(bytes,bytes)', message, attestation);
  expect(landed).toMatchObject({ state: 'FAILED', errorDetails: expect.stringContaining('expired') });
});

test('a smart-contract wallet calls by user operations', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet('ETH-SEPOLIA', 'SCA');
  await chain.fund(wallet, { USDC: '5' });
  await importContract(chain);
  await monitor(chain);
  await called(chain, wallet, SEPOLIA_USDC, 'transfer(address,uint256)', STRANGER, '2000000');
  expect((await chain.balances(wallet)).USDC).toBe('3');
  const { data } = await chain.get('/contracts/events');
  expect(data.eventLogs[0].userOpHash).toMatch(/^0x[0-9a-f]{64}$/);
});

describe('a reorg takes back', () => {
  const APPROVE = 'approve(address,uint256)';
  const ALLOWANCE = 'allowance(address,address)';
  const RECEIVE = 'receiveMessage(bytes,bytes)';
  const reorg = (chain: Chain, id: string) => chain.control('POST', `/transactions/${id}/reorg`);

  /** A call, or whatever else is sent, once it is in its block. */
  async function inBlock(chain: Chain, sent: ReturnType<typeof call>) {
    const { data } = await sent;
    const id = (data.id ?? data.transactionId) as string;
    for (let n = 0; n < 30 && (await chain.transaction(id)).state !== 'CONFIRMED'; n++) {
      await chain.world.control.advance(500);
    }
    return chain.transaction(id);
  }

  test('approvals, what was spent of them, and logs; not while a later call builds on it', async () => {
    const chain = await Chain.open();
    const [owner, spender] = await pair(chain);
    await importContract(chain);
    await monitor(chain, { eventSignature: 'Approval(address,address,uint256)' });
    const allowance = () => view(chain, SEPOLIA_USDC, ALLOWANCE, owner.address, spender.address);
    const logs = async () => (await chain.get('/contracts/events')).data.eventLogs.length as number;
    const approved = await inBlock(chain, call(chain, owner, SEPOLIA_USDC, APPROVE, spender.address, '5000000'));
    expect([String(await allowance()), await logs()]).toEqual(['5000000', 1]);
    const pull = [spender, SEPOLIA_USDC, 'transferFrom(address,address,uint256)'] as const;
    await chain.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 0 });
    const pulled = await inBlock(chain, call(chain, ...pull, owner.address, spender.address, '2000000'));
    expect(pulled).toMatchObject({ state: 'CONFIRMED' });
    expect(await reorg(chain, approved.id)).toMatchObject({ status: 400, code: 155229 });
    expect(await chain.transaction(approved.id)).toMatchObject({ state: 'CONFIRMED' });

    expect(await reorg(chain, pulled.id)).toMatchObject({ status: 200 });
    expect(String(await allowance())).toBe('5000000');
    expect((await chain.balances(owner)).USDC).toBe('100');
    expect(await reorg(chain, approved.id)).toMatchObject({ status: 200 });
    expect([String(await allowance()), await logs()]).toEqual(['0', 0]);
    await chain.settle();
    const late = await called(chain, ...pull, owner.address, spender.address, '1');
    expect(late).toMatchObject({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    expect((await chain.audit()).problems).toEqual([]);
  });

  test('a burn, until it is attested', async () => {
    const chain = await Chain.open();
    const [from] = await pair(chain);
    const [to] = await pair(chain, 'BASE-SEPOLIA');
    await called(chain, from, SEPOLIA_USDC, APPROVE, MESSENGER, MAX_UINT);
    const burn = () => {
      const content = ['40000000', 6, bytes32(to.address), SEPOLIA_USDC, NOBODY, '10000', 1000];
      return inBlock(chain, call(chain, from, MESSENGER, DEPOSIT, ...content));
    };
    const { id } = await burn();
    expect((await chain.balances(from)).USDC).toBe('60');
    await chain.world.control.advance(3_000);
    expect(await reorg(chain, id)).toMatchObject({ status: 200 });
    await chain.settle();
    expect((await chain.balances(from)).USDC).toBe('100');
    expect((await chain.control('GET', '/burns')).body.burns).toEqual([]);
    expect((await chain.audit()).problems).toEqual([]);

    const attested = await burn();
    await chain.world.control.advance(20_000);
    expect(await messageOf(chain, attested.txHash)).toMatchObject({ status: 'complete' });
    expect(await reorg(chain, attested.id)).toMatchObject({ status: 400, code: 155229 });
    await chain.settle();
    expect(await chain.transaction(attested.id)).toMatchObject({ state: 'COMPLETE' });
    expect((await chain.audit()).problems).toEqual([]);
  });

  test('a mint, whoever has sent it: the message can be minted again', async () => {
    const chain = await Chain.open();
    const [to] = await pair(chain, 'BASE-SEPOLIA');
    const burned = { sourceDomain: 0, destinationDomain: 6, amount: '7000000', mintRecipient: to.address };
    const { txHash } = (await chain.control('POST', '/burns', burned)).body;
    await chain.world.control.advance(3_600_000);
    const { message, attestation } = await messageOf(chain, txHash);
    const own = await inBlock(chain, call(chain, to, TRANSMITTER, RECEIVE, message, attestation));
    expect((await chain.balances(to)).USDC).toBe('107');
    expect(await reorg(chain, own.id)).toMatchObject({ status: 200 });
    expect((await chain.balances(to)).USDC).toBe('100');
    expect((await chain.audit()).problems).toEqual([]);

    const mint = { destinationDomain: 6, message, attestation };
    const stranger = (await chain.control('POST', '/mints', mint)).body;
    expect(stranger).toMatchObject({ state: 'minted' });
    await chain.world.control.advance(3_000);
    const [inbound] = (await chain.get(`/transactions?txHash=${stranger.txHash}`)).data.transactions;
    expect(inbound).toMatchObject({ transactionType: 'INBOUND', state: 'CONFIRMED', amounts: ['7'] });
    expect(await reorg(chain, inbound.id)).toMatchObject({ status: 200 });
    expect(await called(chain, to, TRANSMITTER, RECEIVE, message, attestation)).toMatchObject({ state: 'COMPLETE' });
    expect((await chain.balances(to)).USDC).toBe('107');
    expect((await chain.audit()).problems).toEqual([]);
  });

  test('a mint of the forwarding service, which mints again', async () => {
    const chain = await Chain.open();
    const [to] = await pair(chain, 'BASE-SEPOLIA');
    const hookData = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`;
    const fast = { minFinalityThreshold: 1000, maxFee: '260000', hookData };
    const burned = { sourceDomain: 0, destinationDomain: 6, amount: '100000000', mintRecipient: to.address, ...fast };
    const { txHash } = (await chain.control('POST', '/burns', burned)).body;
    await chain.world.control.advance(28_000);
    const before = await messageOf(chain, txHash);
    const [inbound] = (await chain.get(`/transactions?txHash=${before.forwardTxHash}`)).data.transactions;
    expect(await reorg(chain, inbound.id)).toMatchObject({ status: 200 });
    expect(await messageOf(chain, txHash)).toMatchObject({ forwardState: 'PENDING', forwardTxHash: null });
    await chain.settle();
    const after = await messageOf(chain, txHash);
    expect(after.forwardState).toBe('COMPLETE');
    expect(after.forwardTxHash).not.toBe(before.forwardTxHash);
    expect((await chain.balances(to)).USDC).toBe('199.79');
    expect((await chain.audit()).problems).toEqual([]);
  });

  test('a deployment, until its contract is used', async () => {
    const chain = await Chain.open();
    const [admin] = await pair(chain);
    await chain.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: 0 });
    const { id, contractAddress } = await inBlock(chain, deployTemplate(chain, admin, 'ERC20'));
    const minting = [admin, contractAddress, 'mintTo(address,uint256)', admin.address, '7'] as const;
    const minted = await inBlock(chain, call(chain, ...minting));
    expect(await reorg(chain, id)).toMatchObject({ status: 400, code: 155229 });
    expect(await reorg(chain, minted.id)).toMatchObject({ status: 200 });
    expect(await reorg(chain, id)).toMatchObject({ status: 200 });
    expect((await chain.transaction(id)).contractAddress).toBeUndefined();
    // Nothing is there any more: a call does nothing.
    await called(chain, ...minting);
    expect(await chain.balances(admin)).toEqual({ ETH: expect.any(String), USDC: '100' });
    expect((await chain.control('GET', '/tokens')).body.tokens).not.toContainEqual(
      expect.objectContaining({ tokenAddress: contractAddress }),
    );
    expect((await chain.audit()).problems).toEqual([]);
  });

  test('nothing at all, when a part of what somebody got twice is spent', async () => {
    const chain = await Chain.open();
    const [admin, other] = await pair(chain);
    const airdrop = await deployed(chain, admin, 'airdrop');
    await called(chain, admin, SEPOLIA_USDC, APPROVE, airdrop, '10000000');
    const twice = [1, 2].map(() => [other.address, '3000000']);
    const drop = 'airdropERC20(address,(address,uint256)[])';
    const { id } = await inBlock(chain, call(chain, admin, airdrop, drop, SEPOLIA_USDC, twice));
    await chain.world.control.call('POST', `/wallets/${other.id}/broadcast`, {
      tokenId: token('ETH-SEPOLIA', 'USDC'),
      amount: '2',
    });
    expect(await reorg(chain, id)).toMatchObject({ status: 400, code: 155229 });
    expect([(await chain.balances(admin)).USDC, (await chain.balances(other)).USDC]).toEqual(['94', '4']);
    await chain.fund(other, { native: '1' });
    expect(await chain.transaction(id)).toMatchObject({ state: 'COMPLETE' });
    expect((await chain.audit()).problems).toEqual([]);
  });
});
