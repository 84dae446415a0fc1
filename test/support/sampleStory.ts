import { randomUUID } from 'node:crypto';
import { Transaction } from 'ethers';
import type { Receiver } from './receiver';
import { AttestationHost, BASE, ETHEREUM } from '../emulator/attestation/support';
import { STRANGER, TestClient, token } from '../emulator/chain/support';
import { deploy, deployTemplate, importContract, monitor, query, USDC } from '../emulator/contracts/support';
import { TestUser } from '../emulator/users/support';

/** Fills worlds with everything that published samples show. Each part reads what it makes. */

const CHAIN = 'ETH-SEPOLIA';
/** An address with a suffix that hits a rule of screening. */
const ending = (suffix: string) => `0x${'a'.repeat(40 - suffix.length)}${suffix}`;
const RISKS = ['9999', '8888', '7777', '8999', '8899', '8889', '7779'];

/** @returns the webhooks of the world */
export async function tellSampleStory(): Promise<Receiver['received']> {
  const client = await TestClient.open();
  const receiver = await client.subscribe();
  try {
    await readConfiguration(client);
    await makeWallets(client);
    await moveTokens(client);
    await screenTransfers(client);
    await callContracts(client);
    await sign(client);
    await screen(client);
    await fail(client);
    await serveUsers(client);
    await attest();
    await client.settle();
    return receiver.received;
  } finally {
    receiver.close();
  }
}

async function readConfiguration(client: TestClient) {
  const monitored = '/config/entity/monitoredTokens';
  for (const path of ['/config/entity', '/config/entity/publicKey', monitored, '/wallets', '/transactions'])
    await client.get(path);
  const { url } = client.world;
  await client.send('GET', `${url}/v2/notifications/subscriptions`);
}

async function makeWallets(client: TestClient) {
  const metadata = [{ name: 'Savings of Mia', refId: 'crm-81' }];
  const [named] = await client.wallets({ blockchains: [CHAIN], accountType: 'SCA', metadata });
  await client.wallets({ blockchains: [CHAIN], accountType: 'SCA', count: 2 });
  await client.wallets({ blockchains: ['SOL-DEVNET'] });
  const near = await client.wallet('NEAR-TESTNET');
  for (const { id } of [named!, near]) await client.get(`/developer/wallets/${id}`);
  await client.get('/developer/wallets?pageSize=50');
  await client.get(`/wallets/${named!.id}/balances`);
}

async function moveTokens(client: TestClient) {
  const wallet = await client.fundedWallet();
  await client.get(`/wallets/${wallet.id}/balances`);
  await client.get(`/tokens/${token(CHAIN, 'USDC')}`);
  await client.send('POST', '/faucet/drips', { address: wallet.address, blockchain: CHAIN, usdc: true });
  await client.send('POST', '/transactions/validateAddress', { address: STRANGER, blockchain: CHAIN });
  const movement = { walletId: wallet.id, tokenId: token(CHAIN, 'USDC'), destinationAddress: STRANGER };
  await client.send('POST', '/transactions/transfer/estimateFee', { ...movement, amounts: ['1'] });

  const sent = (await client.transfer(wallet)).data;
  await client.transaction(sent.id);
  await client.settle();
  await client.transaction(sent.id);

  // One that fails on the blockchain, and one that is stuck until its fee is raised.
  await client.world.control.call('POST', '/transactions/next', { fail: { errorReason: 'FAILED_ON_CHAIN' } });
  const failed = (await client.transfer(wallet)).data;
  await client.settle();
  await client.transaction(failed.id);
  const cheap = { feeLevel: undefined, gasLimit: '65000', maxFee: '5', priorityFee: '1' };
  const stuck = (await client.transfer(wallet, cheap)).data;
  await client.settle();
  await client.postWithKey(`/developer/transactions/${stuck.id}/accelerate`);
  await client.settle();

  // NFTs, and a deposit that is not final yet.
  const nfts = { tokenId: token(CHAIN, 'SEDN'), nftTokenIds: ['71', '72'] };
  for (const nftTokenId of nfts.nftTokenIds) {
    const { tokenId } = nfts;
    await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, nftTokenId, amount: '3' });
  }
  await client.settle();
  await client.get(`/wallets/${wallet.id}/nfts`);
  const given = (await client.transfer(wallet, { ...nfts, amounts: ['1', '2'] })).data;
  await client.settle();
  await client.transaction(given.id);
  const { data } = await client.get(`/transactions?walletIds=${wallet.id}&txType=INBOUND&pageSize=50`);
  for (const { id } of data.transactions) await client.transaction(id);
  await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, {
    tokenId: token(CHAIN, 'USDC'),
    amount: '4',
  });
  await client.world.control.advance(13_000);
  await client.get(`/transactions?walletIds=${wallet.id}&txType=INBOUND`);

  await client.send('POST', '/config/entity/monitoredTokens', { tokenIds: [token(CHAIN, 'USDC')] });
  await client.get('/config/entity/monitoredTokens');
  await client.send('PUT', '/config/entity/monitoredTokens/scope', { scope: 'MONITOR_ALL' });
}

/** Transfers that screening denies, and a deposit that it reviews. It may freeze the wallets. */
async function screenTransfers(client: TestClient) {
  for (const suffix of RISKS) {
    const { data } = await client.transfer(await client.fundedWallet(), { destinationAddress: ending(suffix) });
    await client.settle();
    await client.transaction(data.id);
  }
  const wallet = await client.wallet();
  const deposit = { tokenId: token(CHAIN, 'USDC'), amount: '3', from: ending('8899') };
  await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, deposit);
  await client.settle();
  const { data } = await client.get(`/transactions?walletIds=${wallet.id}`);
  for (const { id } of data.transactions) await client.transaction(id);
}

async function callContracts(client: TestClient) {
  const wallet = await client.fundedWallet();
  const sca = await client.fundedWallet(CHAIN, 'SCA');
  const call = {
    contractAddress: USDC[CHAIN],
    abiFunctionSignature: 'approve(address,uint256)',
    abiParameters: [STRANGER, '250000'],
  };
  const execute = async ({ id: walletId }: { id: string }) => {
    const body = { walletId, feeLevel: 'MEDIUM', ...call };
    const { data } = await client.postWithKey('/developer/transactions/contractExecution', body);
    await client.settle();
    await client.transaction(data.id);
  };
  await execute(wallet);
  await client.world.control.call('POST', '/transactions/next', { fail: { errorReason: 'INSUFFICIENT_NATIVE_TOKEN' } });
  await execute(wallet);
  await execute(sca);
  await client.send('POST', '/transactions/contractExecution/estimateFee', { walletId: sca.id, ...call });

  const { contractId } = (await deploy(client, wallet, { description: 'Issues gift cards' })).data;
  await client.settle();
  await client.get(`/contracts/${contractId}`);
  await deployTemplate(client, wallet, 'ERC20');
  await client.settle();
  const { data } = await client.get('/contracts?pageSize=50');
  for (const { id } of data.contracts) await client.get(`/contracts/${id}`);
  await query(client, { abiFunctionSignature: 'name()', abiJson: undefined });
  await importContract(client);
  await monitor(client);
  await client.transfer(wallet);
  await client.settle();
  await client.get('/contracts/events');
}

async function sign(client: TestClient) {
  const { id: walletId } = await client.wallet('EVM-TESTNET');
  await client.postWithKey('/developer/sign/message', { walletId, message: 'sample' });
  const types = { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], A: [{ name: 'a', type: 'uint8' }] };
  const data = JSON.stringify({ types, primaryType: 'A', domain: { chainId: 97 }, message: { a: 1 } });
  await client.postWithKey('/developer/sign/typedData', { walletId, data });
  const fields = { to: STRANGER, nonce: 1, gasLimit: 21_000n, chainId: 97, type: 2, maxFeePerGas: 9n };
  const rawTransaction = Transaction.from(fields).unsignedSerialized;
  await client.postWithKey('/developer/sign/transaction', { walletId, rawTransaction });
}

async function screen(client: TestClient) {
  for (const complianceEnvelope of ['bare', 'data'] as const) {
    await client.world.control.changeSettings({ complianceEnvelope });
    for (const suffix of RISKS) {
      const body = { idempotencyKey: randomUUID(), address: ending(suffix), chain: CHAIN };
      await client.send('POST', '/compliance/screening/addresses', body);
    }
  }
}

async function fail(client: TestClient) {
  const wallet = await client.fundedWallet();
  await client.transfer(wallet, { amounts: ['100000'] });
  await client.get(`/transactions/${randomUUID()}`);
  await client.postWithKey('/developer/walletSets', { name: 7 });
  await client.send('GET', '/wallets', undefined, { authorization: 'Bearer malformed' });
  await monitor(client, { contractAddress: STRANGER });
  await monitor(client, { eventSignature: 'Nothing(address)' });
  const idempotencyKey = randomUUID();
  for (let n = 0; n < 2; n++) await client.transfer(wallet, { idempotencyKey });
}

async function serveUsers(client: TestClient) {
  const fresh = await TestUser.create(client);
  const { data } = await fresh.postWithKey('/user/initialize', { blockchains: [CHAIN] });
  await fresh.get(`/user/challenges/${data.challengeId}`);
  const user = await TestUser.initialized(client, [CHAIN, 'SOL-DEVNET']);
  const challenges = (await user.get('/user/challenges')).data.challenges as { id: string }[];
  for (const { id } of challenges) await user.get(`/user/challenges/${id}`);
  await user.get('/user');
  await client.get(`/users/${user.id}`);
  await client.get('/users');
  const [wallet] = (await user.get(`/wallets?blockchain=${CHAIN}`)).data.wallets;
  await user.get('/wallets');
  await user.postWithKey('/user/wallets', { blockchains: ['AVAX-FUJI'] });
  await user.postWithKey('/user/pin', {}, 'PUT');
  await user.postWithKey('/user/pin/restore');
  await client.fund(wallet, { native: '1', USDC: '50' });
  const opened = await user.postWithKey('/user/transactions/transfer', {
    walletId: wallet.id,
    tokenId: token(CHAIN, 'USDC'),
    destinationAddress: STRANGER,
    amounts: ['1'],
    feeLevel: 'MEDIUM',
  });
  await user.approve(opened.data.challengeId);
  await client.settle();
  await user.get('/transactions');
  await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, {
    tokenId: token(CHAIN, 'USDC'),
    amount: '4',
  });
  await client.world.control.advance(13_000);
  await user.get('/transactions?txType=INBOUND');
  const deviceId = randomUUID();
  await client.send('POST', '/users/email/token', {
    idempotencyKey: randomUUID(),
    deviceId,
    email: 'mia@sample.example',
  });
}

async function attest() {
  const host = await AttestationHost.open();
  const route = `${ETHEREUM}/${BASE}`;
  for (const path of ['publicKeys', `burn/USDC/fees/${route}`, `burn/USDC/fees/${route}?forward=true`])
    await host.get(`/v2/${path}`);
  await host.get('/v2/fastBurn/USDC/allowance');
  await host.get(`/v2/messages/${ETHEREUM}?transactionHash=0x${'ab'.repeat(32)}`);
  await host.get('/v2/messages/none?nonce=1');
  const late = await host.burn({ maxFee: '0' });
  const fast = await host.burn();
  await host.advance(3);
  for (const burn of [late, fast]) await host.messages(burn);
  await host.advance(25);
  const { nonce } = fast;
  for (const burn of [late, fast]) await host.messages(burn);
  for (let n = 0; n < 2; n++) {
    await host.post(`/v2/reattest/${nonce}`);
    await host.advance(3_600);
  }
}
