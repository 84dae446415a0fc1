import { decodeEventLog, type Hex, parseAbi, toEventHash } from 'viem';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient } from '../chain/support';
import { callAndSettle, deployAndSettle, importContract, monitor, TRANSFER, USDC } from './support';

afterAll(closeOwnEmulator);

const ADDRESS = USDC['ETH-SEPOLIA'];
const ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
]);
const decode = ({ topics, data }: { topics: [Hex, ...Hex[]]; data: Hex }) => decodeEventLog({ abi: ABI, topics, data });

async function logs(client: TestClient, query = '') {
  return (await client.get(`/contracts/events?${query}`)).data.eventLogs;
}

test('all spellings of a signature mean the same event', async () => {
  const client = await TestClient.open();
  // An unverified contract has no known events.
  const { address } = await client.world.control.call<{ address: string }>('POST', '/contracts', {
    blockchain: 'ETH-SEPOLIA',
  });
  const watch = (eventSignature: string) => monitor(client, { contractAddress: address, eventSignature });
  expect(await watch(TRANSFER)).toMatchObject({ status: 404, code: 175001 });
  await importContract(client, { address });
  const created = await watch(TRANSFER);
  expect(created).toMatchObject({ status: 201 });
  expect(created.data.eventMonitor).toMatchObject({
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
    expect(await client.send(method, `/contracts/monitors/${unknown}`, body)).toMatchObject({
      status: 404,
      code: 175301,
    });
    expect(await client.send(method, '/contracts/monitors/1', body)).toMatchObject({ status: 400, code: 156009 });
  }
});

test('monitors can be listed, disabled, enabled and deleted', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await importContract(client);
  const { id } = (await monitor(client)).data.eventMonitor;
  await monitor(client, { eventSignature: 'Approval(address,address,uint256)' });
  const list = async (query: string) =>
    (await client.get(`/contracts/monitors?${query}`)).data.eventMonitors.map(
      ({ eventSignature }: { eventSignature: string }) => eventSignature,
    );
  expect(await list('')).toEqual(['Approval(address,address,uint256)', TRANSFER]);
  expect(await list(`contractAddress=${ADDRESS.toLowerCase()}&blockchain=ETH-SEPOLIA`)).toHaveLength(2);
  expect(await list(`eventSignature=${encodeURIComponent('Transfer(address from,address to,uint v)')}`)).toEqual([
    TRANSFER,
  ]);
  expect(await list('blockchain=ARB-SEPOLIA')).toEqual([]);

  const switchTo = (isEnabled: boolean) => client.send('PUT', `/contracts/monitors/${id}`, { isEnabled });
  expect((await switchTo(false)).data.eventMonitor).toMatchObject({ id, isEnabled: false });
  await client.fund(wallet, { USDC: '1' });
  expect(await logs(client)).toEqual([]);
  await switchTo(true);
  await client.fund(wallet, { USDC: '2' });
  expect(await logs(client)).toHaveLength(1);
  const ended = await client.send('DELETE', `/contracts/monitors/${id}`);
  expect(ended).toMatchObject({ status: 200, data: undefined });
  await client.fund(wallet, { USDC: '3' });
  expect(await logs(client)).toHaveLength(1);
  expect(await list('')).toHaveLength(1);
});

test('transfers and calls log their events in order, with paging', async () => {
  const client = await TestClient.open();
  const [from, to] = await client.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
  await importContract(client);
  await monitor(client);
  await monitor(client, { eventSignature: 'Approval(address,address,uint256)' });
  await client.fund(from!, { native: '1', USDC: '9' });
  const sent = await client.transfer(from!, { destinationAddress: to!.address, amounts: ['2'] });
  await client.settle();
  const approved = await callAndSettle(client, from!, ADDRESS, 'approve(address,uint256)', STRANGER, '7');
  const moved = await callAndSettle(client, from!, ADDRESS, 'transfer(address,uint256)', STRANGER, '3');

  const rows = (await logs(client)).toReversed();
  expect(rows.map(decode)).toMatchObject([
    { eventName: 'Transfer', args: { to: from!.address, value: 9_000_000n } },
    { eventName: 'Transfer', args: { from: from!.address, to: to!.address, value: 2_000_000n } },
    { eventName: 'Approval', args: { owner: from!.address, spender: STRANGER, value: 7n } },
    { eventName: 'Transfer', args: { from: from!.address, to: STRANGER, value: 3n } },
  ]);
  const transaction = await client.transaction(sent.data.id);
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

  const first = await client.get('/contracts/events?pageSize=3');
  expect(first.data.eventLogs).toHaveLength(3);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
  expect((await client.get(next!)).data.eventLogs).toEqual([rows[0]]);
  expect(await logs(client, `contractAddress=${ADDRESS.toLowerCase()}`)).toHaveLength(4);
  expect(await logs(client, 'blockchain=BASE-SEPOLIA')).toEqual([]);
  expect(await client.get('/contracts/events?pageAfter=x')).toMatchObject({ code: 156014 });
});

test('NFT transfers are logged as their standard defines', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '1' });
  const address = await deployAndSettle(client, wallet, 'ERC1155');
  const mint = 'mintTo(address,uint256,string,uint256)';
  const single = 'TransferSingle(address,address,address,uint256,uint256)';
  const batch = 'TransferBatch(address,address,address,uint256[],uint256[])';
  for (const eventSignature of [single, batch]) {
    expect(await monitor(client, { contractAddress: address, eventSignature })).toMatchObject({ status: 201 });
  }
  for (const id of ['0', '1']) await callAndSettle(client, wallet, address, mint, wallet.address, id, '', '5');
  await client.transfer(wallet, {
    tokenId: undefined,
    tokenAddress: address,
    blockchain: undefined,
    nftTokenIds: ['0', '1'],
    amounts: ['1', '2'],
  });
  await client.settle();
  const rows = await logs(client);
  expect(rows.map(({ eventSignature }: { eventSignature: string }) => eventSignature)).toEqual([batch, single, single]);
});

test('a control logs the event of a foreign transaction and sends a webhook', async () => {
  const client = await TestClient.open();
  await importContract(client);
  await monitor(client);
  const receiver = await client.subscribe(['contracts.*']);

  const event = { blockchain: 'ETH-SEPOLIA', contractAddress: ADDRESS, eventSignature: TRANSFER };
  const log = await client.world.control.call<{ txHash: string }>('POST', '/contracts/events', {
    ...event,
    parameters: [STRANGER, ADDRESS, '12'],
  });
  await client.world.control.advance(1000);
  receiver.close();
  const [row] = await logs(client);
  expect(decode(row)).toMatchObject({ args: { from: STRANGER, to: ADDRESS, value: 12n } });
  expect(row).toMatchObject({ txHash: log.txHash });
  const { id: _id, ...logged } = row;
  expect(receiver.received.map(({ body }) => body)).toEqual([
    expect.objectContaining({
      notificationType: 'contracts.eventLog',
      notification: expect.objectContaining({ ...logged, eventName: 'Transfer' }),
    }),
  ]);
  const wrong = client.world.control.call('POST', '/contracts/events', { ...event, parameters: ['x'] });
  await expect(wrong).rejects.toThrow('do not match');
});
