import { decodeEventLog, parseAbi, toEventHash, type Hex } from 'viem';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER } from '../chain/support';
import { TRANSFER, USDC, called, deployed, importContract, monitor } from './support';

afterAll(closeOwnEmulator);

const ADDRESS = USDC['ETH-SEPOLIA'];
const ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
]);
const decode = ({ topics, data }: { topics: [Hex, ...Hex[]]; data: Hex }) => decodeEventLog({ abi: ABI, topics, data });

async function logs(chain: Chain, query = '') {
  return (await chain.get(`/contracts/events?${query}`)).data.eventLogs;
}

test('field case WH-07: one event, whatever the spelling of its signature', async () => {
  const chain = await Chain.open();
  // Unverified: nothing is known of its events.
  const { address } = await chain.world.control.call<{ address: string }>('POST', '/contracts', {
    blockchain: 'ETH-SEPOLIA',
  });
  const watch = (eventSignature: string) => monitor(chain, { contractAddress: address, eventSignature });
  expect(await watch(TRANSFER)).toMatchObject({ status: 404, code: 175001 });
  await importContract(chain, { address });
  const made = await watch(TRANSFER);
  expect(made).toMatchObject({ status: 201 });
  expect(made.data.eventMonitor).toMatchObject({
    blockchain: 'ETH-SEPOLIA',
    contractAddress: address,
    eventSignature: TRANSFER,
    eventSignatureHash: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    isEnabled: true,
  });
  expect(await watch('Transfer(address indexed from, address indexed to, uint value)')).toMatchObject({
    status: 409,
    code: 175302,
  });
  expect(await watch('Transfer(address,address)')).toMatchObject({ status: 201 });
  expect(await watch('Transfer(')).toMatchObject({ status: 400, code: 175303 });
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PUT', { isEnabled: false }],
  ] as const) {
    expect(await chain.send(method, `/contracts/monitors/${unknown}`, body)).toMatchObject({
      status: 404,
      code: 175301,
    });
    expect(await chain.send(method, '/contracts/monitors/1', body)).toMatchObject({ status: 400, code: 156009 });
  }
});

test('monitors are listed, switched off and on, and ended', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await importContract(chain);
  const { id } = (await monitor(chain)).data.eventMonitor;
  await monitor(chain, { eventSignature: 'Approval(address,address,uint256)' });
  const list = async (query: string) =>
    (await chain.get(`/contracts/monitors?${query}`)).data.eventMonitors.map(
      ({ eventSignature }: { eventSignature: string }) => eventSignature,
    );
  expect(await list('')).toEqual(['Approval(address,address,uint256)', TRANSFER]);
  expect(await list(`contractAddress=${ADDRESS.toLowerCase()}&blockchain=ETH-SEPOLIA`)).toHaveLength(2);
  expect(await list(`eventSignature=${encodeURIComponent('Transfer(address from,address to,uint v)')}`)).toEqual([
    TRANSFER,
  ]);
  expect(await list('blockchain=ARB-SEPOLIA')).toEqual([]);

  const switchTo = (isEnabled: boolean) => chain.send('PUT', `/contracts/monitors/${id}`, { isEnabled });
  expect((await switchTo(false)).data.eventMonitor).toMatchObject({ id, isEnabled: false });
  await chain.fund(wallet, { USDC: '1' });
  expect(await logs(chain)).toEqual([]);
  await switchTo(true);
  await chain.fund(wallet, { USDC: '2' });
  expect(await logs(chain)).toHaveLength(1);
  const ended = await chain.send('DELETE', `/contracts/monitors/${id}`);
  expect(ended).toMatchObject({ status: 200, data: undefined });
  await chain.fund(wallet, { USDC: '3' });
  expect(await logs(chain)).toHaveLength(1);
  expect(await list('')).toHaveLength(1);
});

test('transfers and calls log what their contracts log, in order, with paging', async () => {
  const chain = await Chain.open();
  const [from, to] = await chain.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
  await importContract(chain);
  await monitor(chain);
  await monitor(chain, { eventSignature: 'Approval(address,address,uint256)' });
  await chain.fund(from!, { native: '1', USDC: '9' });
  const sent = await chain.transfer(from!, { destinationAddress: to!.address, amounts: ['2'] });
  await chain.settle();
  const approved = await called(chain, from!, ADDRESS, 'approve(address,uint256)', STRANGER, '7');
  const moved = await called(chain, from!, ADDRESS, 'transfer(address,uint256)', STRANGER, '3');

  const rows = (await logs(chain)).toReversed();
  expect(rows.map(decode)).toMatchObject([
    { eventName: 'Transfer', args: { to: from!.address, value: 9_000_000n } },
    { eventName: 'Transfer', args: { from: from!.address, to: to!.address, value: 2_000_000n } },
    { eventName: 'Approval', args: { owner: from!.address, spender: STRANGER, value: 7n } },
    { eventName: 'Transfer', args: { from: from!.address, to: STRANGER, value: 3n } },
  ]);
  const transaction = await chain.transaction(sent.data.id);
  const { txHash, blockHash, blockHeight } = transaction;
  expect(rows[1]).toMatchObject({
    txHash,
    blockHash,
    blockHeight,
    blockchain: 'ETH-SEPOLIA',
    contractAddress: ADDRESS,
    eventSignature: TRANSFER,
    eventSignatureHash: toEventHash(TRANSFER),
    logIndex: '0',
    userOpHash: '',
    firstConfirmDate: transaction.firstConfirmDate,
  });
  expect(rows.slice(2).map((row: { txHash: string }) => row.txHash)).toEqual([approved.txHash, moved.txHash]);

  const first = await chain.get('/contracts/events?pageSize=3');
  expect(first.data.eventLogs).toHaveLength(3);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
  expect((await chain.get(next!)).data.eventLogs).toEqual([rows[0]]);
  expect(await logs(chain, `contractAddress=${ADDRESS.toLowerCase()}`)).toHaveLength(4);
  expect(await logs(chain, 'blockchain=BASE-SEPOLIA')).toEqual([]);
  expect(await chain.get('/contracts/events?pageAfter=x')).toMatchObject({ code: 156014 });
});

test('NFT transfers of the API are logged by their standard', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1' });
  const address = await deployed(chain, wallet, 'ERC1155');
  const mint = 'mintTo(address,uint256,string,uint256)';
  const single = 'TransferSingle(address,address,address,uint256,uint256)';
  const batch = 'TransferBatch(address,address,address,uint256[],uint256[])';
  for (const eventSignature of [single, batch]) {
    expect(await monitor(chain, { contractAddress: address, eventSignature })).toMatchObject({ status: 201 });
  }
  for (const id of ['0', '1']) await called(chain, wallet, address, mint, wallet.address, id, '', '5');
  await chain.transfer(wallet, {
    tokenId: undefined,
    tokenAddress: address,
    blockchain: undefined,
    nftTokenIds: ['0', '1'],
    amounts: ['1', '2'],
  });
  await chain.settle();
  const rows = await logs(chain);
  expect(rows.map(({ eventSignature }: { eventSignature: string }) => eventSignature)).toEqual([batch, single, single]);
});

test("a stranger's event is logged by the control, and told of", async () => {
  const chain = await Chain.open();
  await importContract(chain);
  await monitor(chain);
  const receiver = await chain.subscribe(['contracts.*']);

  const event = { blockchain: 'ETH-SEPOLIA', contractAddress: ADDRESS, eventSignature: TRANSFER };
  const log = await chain.world.control.call<{ txHash: string }>('POST', '/contracts/events', {
    ...event,
    parameters: [STRANGER, ADDRESS, '12'],
  });
  await chain.world.control.advance(1000);
  receiver.close();
  const [row] = await logs(chain);
  expect(decode(row)).toMatchObject({ args: { from: STRANGER, to: ADDRESS, value: 12n } });
  expect(row).toMatchObject({ txHash: log.txHash });
  const { id: _id, ...told } = row;
  expect(receiver.received.map(({ body }) => body)).toEqual([
    expect.objectContaining({
      notificationType: 'contracts.eventLog',
      notification: expect.objectContaining({ ...told, eventName: 'Transfer' }),
    }),
  ]);
  const wrong = chain.world.control.call('POST', '/contracts/events', { ...event, parameters: ['x'] });
  await expect(wrong).rejects.toThrow('do not fit');
});
