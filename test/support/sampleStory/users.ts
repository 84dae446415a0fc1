import { base58 } from '@scure/base';
import { randomUUID } from 'node:crypto';
import { STRANGER, type TestClient, token } from '../../emulator/chain/support';
import { PROGRAM, wire } from '../../emulator/signing/solanaWire';
import { ANSWERS, PIN, QUESTIONS, TestUser } from '../../emulator/users/support';
import { CHAIN } from './addresses';
import { typedData } from './signing';

interface UserWallet {
  id: string;
  address: string;
  blockchain: string;
}

export async function serveUsers(client: TestClient) {
  const user = await initialize(client);
  const wallet = await walletOf(user, CHAIN);
  await changePins(user);
  await pay(client, user, wallet);
  await receive(client, user, wallet);
  await openEveryChallenge(client);
  await lock(client, user);
  const email = 'mia@sample.example';
  await client.send('POST', '/users/email/token', { idempotencyKey: randomUUID(), deviceId: randomUUID(), email });
}

async function initialize(client: TestClient): Promise<TestUser> {
  const user = await TestUser.create(client);
  const { data } = await user.postWithKey('/user/initialize', { blockchains: [CHAIN, 'SOL-DEVNET'] });
  await user.challenge(data.challengeId);
  await user.approve(data.challengeId, { newPin: PIN, questions: QUESTIONS });
  await user.challenge(data.challengeId);
  await user.get('/user');
  await client.get(`/users/${user.id}`);
  await user.get('/wallets');
  return user;
}

async function walletOf(user: TestUser, blockchain: string): Promise<UserWallet> {
  return (await user.get(`/wallets?blockchain=${blockchain}`)).data.wallets[0];
}

async function changePins(user: TestUser) {
  const change = await user.postWithKey('/user/pin', {}, 'PUT');
  const restore = await user.postWithKey('/user/pin/restore');
  await user.approve(change.data.challengeId, { pin: PIN, newPin: PIN });
  await user.approve(restore.data.challengeId, { newPin: PIN, answers: ANSWERS });
  for (const { data } of [change, restore]) await user.challenge(data.challengeId);
}

const transferOf = ({ id, blockchain }: UserWallet) => ({
  walletId: id,
  tokenId: token(blockchain, 'USDC'),
  destinationAddress: STRANGER,
  amounts: ['1'],
  feeLevel: 'MEDIUM',
});

/** Opens a challenge for a transfer and approves it. @returns the id of the transaction */
async function transfer(user: TestUser, wallet: UserWallet): Promise<string> {
  const { data } = await user.postWithKey('/user/transactions/transfer', transferOf(wallet));
  await user.approve(data.challengeId);
  return (await user.challenge(data.challengeId)).correlationIds[0];
}

/** One transfer that the user approves, and one that the user declines. */
async function pay(client: TestClient, user: TestUser, wallet: UserWallet) {
  await client.fund(wallet, { native: '1', USDC: '50' });
  await transfer(user, wallet);
  await client.settle();
  await user.get('/transactions');
  const { data } = await user.postWithKey('/user/transactions/transfer', transferOf(wallet));
  await client.control('POST', `/challenges/${data.challengeId}/reject`);
}

async function receive(client: TestClient, user: TestUser, { id }: UserWallet) {
  await client.control('POST', `/wallets/${id}/inbound`, { tokenId: token(CHAIN, 'USDC'), amount: '4' });
  await client.world.control.advance(13_000);
  await user.get('/transactions?txType=INBOUND');
}

/** A user who waits with a challenge of every type. */
async function openEveryChallenge(client: TestClient) {
  await client.world.control.changeSettings({ scaCore: 'circle_6900_singleowner_v1' });
  const user = await TestUser.create(client);
  const open = async (path: string, body: object = {}, method = 'POST') =>
    (await user.postWithKey(`/user/${path}`, body, method)).data.challengeId as string;
  const [, , pin] = [await open('initialize'), await open('pin'), await open('pin')];
  await user.approve(pin, { newPin: PIN });
  const openQuestions = () => client.control('POST', `/users/${user.id}/securityQuestions`);
  const [, questions] = [await openQuestions(), await openQuestions()];
  await user.approve(questions.body.challengeId, { pin: PIN, questions: QUESTIONS });
  await user.approve(await open('wallets', { blockchains: [CHAIN, 'SOL-DEVNET'], accountType: 'EOA' }));
  await user.approve(await open('wallets', { blockchains: ['MATIC-AMOY'], accountType: 'SCA' }));
  const [evm, solana, sca] = [
    await walletOf(user, CHAIN),
    await walletOf(user, 'SOL-DEVNET'),
    await walletOf(user, 'MATIC-AMOY'),
  ];
  await client.fund(evm, { native: '1', USDC: '50' });
  await client.fund(sca, { USDC: '50' });
  await transfer(user, sca);
  await client.settle();

  const newScaCore = 'circle_6900_singleowner_v2';
  await open('transactions/walletUpgrade', { walletId: sca.id, newScaCore, feeLevel: 'MEDIUM' });
  await open('pin', {}, 'PUT');
  await open('pin/restore');
  await open('wallets', { blockchains: ['AVAX-FUJI'] });
  await open('transactions/transfer', transferOf(evm));
  await open('transactions/contractExecution', {
    walletId: evm.id,
    contractAddress: STRANGER,
    abiFunctionSignature: 'approve(address,uint256)',
    abiParameters: [STRANGER, '5'],
    feeLevel: 'LOW',
  });
  await open('sign/message', { walletId: evm.id, message: 'sample' });
  await open('sign/typedData', { walletId: evm.id, data: typedData(11_155_111) });
  const unsigned = wire({ accounts: [Buffer.from(base58.decode(solana.address)), PROGRAM], signers: 1 });
  await open('sign/transaction', { walletId: solana.id, rawTransaction: unsigned.toString('base64') });
  const sent = await transfer(user, evm);
  await open(`transactions/${sent}/accelerate`);
  await open(`transactions/${sent}/cancel`);
  await user.get('/user/challenges');

  // One of them is about to end.
  const running = await open('transactions/transfer', transferOf(evm));
  await client.control('POST', `/challenges/${running}/approve`, { pin: PIN });
  await user.get('/user/challenges');
}

async function lock(client: TestClient, user: TestUser) {
  await client.control('POST', `/users/${user.id}/pin/lock`);
  await client.get(`/users/${user.id}`);
  const disabled = await TestUser.create(client);
  await client.control('POST', `/users/${disabled.id}/disable`);
  await client.get('/users?pageSize=50');
}
