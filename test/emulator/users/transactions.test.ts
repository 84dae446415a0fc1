import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER, token } from '../chain/support';
import { PIN, Person } from './support';

afterAll(closeOwnEmulator);

interface UserWallet {
  id: string;
  blockchain: string;
  address: string;
}

/** A user whose wallet on the blockchain holds native tokens and USDC. */
async function payer(chain: Chain, blockchain = 'ETH-SEPOLIA', accountType = 'EOA') {
  const person = await Person.initialized(chain, [blockchain], accountType);
  const wallet = (await person.get('/wallets')).data.wallets[0] as UserWallet;
  await chain.fund(wallet, { native: '10', USDC: '100' });
  return { person, wallet };
}

const transferOf = (wallet: UserWallet, more: object = {}) => ({
  walletId: wallet.id,
  tokenId: token(wallet.blockchain, 'USDC'),
  destinationAddress: STRANGER,
  amounts: ['40'],
  feeLevel: 'MEDIUM',
  ...more,
});
const TRANSFER = '/user/transactions/transfer';
const CALL = '/user/transactions/contractExecution';

async function outbound(person: Person) {
  return (await person.get('/transactions?txType=OUTBOUND')).data.transactions;
}

/** Asks and approves; the id of the transaction. */
async function sent(person: Person, wallet: UserWallet, more: object = {}): Promise<string> {
  const { data } = await person.ask(TRANSFER, transferOf(wallet, more));
  await person.approve(data.challengeId);
  return (await person.challenge(data.challengeId)).correlationIds[0];
}

test('a transfer is sent when the user approves it, and not before', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain);
  const { status, data } = await person.ask(TRANSFER, transferOf(wallet, { refId: 'inv-42' }));
  expect(status).toBe(201);
  expect(data).toEqual({ challengeId: expect.any(String) });
  expect(await person.challenge(data.challengeId)).toMatchObject({ type: 'CREATE_TRANSACTION', status: 'PENDING' });
  await chain.settle();
  expect(await outbound(person)).toEqual([]);

  expect((await person.approve(data.challengeId)).body).toMatchObject({ type: 'CREATE_TRANSACTION' });

  const { status: ended, correlationIds } = await person.challenge(data.challengeId);
  expect(ended).toBe('COMPLETE');
  const [transaction] = await outbound(person);
  expect(correlationIds).toEqual([transaction.id]);
  expect(transaction).toMatchObject({
    custodyType: 'ENDUSER',
    userId: person.id,
    refId: 'inv-42',
    operation: 'TRANSFER',
  });
  await chain.settle();
  expect(await chain.transaction(transaction.id)).toMatchObject({ state: 'COMPLETE', amounts: ['40'] });
  expect(await chain.balances(wallet)).toMatchObject({ USDC: '60' });
  expect((await chain.audit()).problems).toEqual([]);
});

test('a contract call is sent when the user approves it', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain, 'MATIC-AMOY', 'SCA');
  const { data } = await person.ask(CALL, {
    walletId: wallet.id,
    contractAddress: STRANGER,
    abiFunctionSignature: 'approve(address,uint256)',
    abiParameters: [STRANGER, '5'],
    feeLevel: 'LOW',
  });
  expect(await person.challenge(data.challengeId)).toMatchObject({ type: 'CONTRACT_EXECUTION', status: 'PENDING' });
  await person.approve(data.challengeId);
  const [transaction] = await outbound(person);
  expect(transaction).toMatchObject({ operation: 'CONTRACT_EXECUTION', userId: person.id });
  expect((await person.challenge(data.challengeId)).correlationIds).toEqual([transaction.id]);
});

test('a smart-contract wallet is upgraded when the user approves it, once it is deployed', async () => {
  const chain = await Chain.open({ scaCore: 'circle_6900_singleowner_v1' });
  const { person, wallet } = await payer(chain, 'ETH-SEPOLIA', 'SCA');
  const body = { walletId: wallet.id, newScaCore: 'circle_6900_singleowner_v2', feeLevel: 'MEDIUM' };
  const ask = () => person.ask('/user/transactions/walletUpgrade', body);
  expect(await ask()).toMatchObject({ status: 400, code: 155514 });
  await sent(person, wallet);
  await chain.settle();

  const { data } = await ask();
  expect(await person.challenge(data.challengeId)).toMatchObject({ type: 'WALLET_UPGRADE', status: 'PENDING' });
  const scaCore = async () => (await person.get(`/wallets/${wallet.id}`)).data.wallet.scaCore;
  expect(await scaCore()).toBe('circle_6900_singleowner_v1');
  await person.approve(data.challengeId);
  await chain.settle();
  expect(await scaCore()).toBe('circle_6900_singleowner_v2');
  const { correlationIds } = await person.challenge(data.challengeId);
  expect(await chain.transaction(correlationIds[0])).toMatchObject({ state: 'COMPLETE', userId: person.id });
});

test('a stuck transaction is accelerated when the user approves it, under its id', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain);
  await chain.world.control.call('POST', '/transactions/next', { stuck: true });
  const id = await sent(person, wallet);
  await chain.settle();
  expect(await chain.transaction(id)).toMatchObject({ state: 'STUCK' });
  const lowest = `/transactions/lowestNonceTransaction?walletId=${wallet.id}`;
  expect((await person.get(lowest)).data.transaction).toMatchObject({ id });
  const stranger = await Person.initialized(chain);
  expect(await stranger.get(lowest)).toMatchObject({ status: 404, code: 156001 });

  const { status, data } = await person.ask(`/user/transactions/${id}/accelerate`);
  expect(status).toBe(201);
  expect(await person.challenge(data.challengeId)).toMatchObject({ type: 'ACCELERATE_TRANSACTION' });
  expect(await chain.transaction(id)).toMatchObject({ state: 'STUCK' });
  await person.approve(data.challengeId);
  expect(await person.challenge(data.challengeId)).toMatchObject({ status: 'COMPLETE', correlationIds: [id] });
  await chain.settle();
  expect(await chain.transaction(id)).toMatchObject({ state: 'COMPLETE', feeLevel: 'HIGH' });
});

test('a transaction is cancelled when the user approves it; one that is final by then fails the challenge', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain);
  await chain.world.control.call('POST', '/transactions/next', { stuck: true });
  const id = await sent(person, wallet);
  await chain.settle();
  const ask = () => person.ask(`/user/transactions/${id}/cancel`);
  const [first, second] = [await ask(), await ask()];
  expect(await person.challenge(first.data.challengeId)).toMatchObject({ type: 'CANCEL_TRANSACTION' });
  await person.approve(first.data.challengeId);
  expect(await person.challenge(first.data.challengeId)).toMatchObject({ status: 'COMPLETE', correlationIds: [id] });
  await chain.settle();
  expect(await chain.transaction(id)).toMatchObject({ state: 'CANCELLED' });
  expect(await chain.balances(wallet)).toMatchObject({ USDC: '100' });

  await person.approve(second.data.challengeId);
  expect(await person.challenge(second.data.challengeId)).toMatchObject({ status: 'FAILED', errorCode: 155215 });
});

test('what expires, is declined or was approved already, sends nothing', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain);
  const ask = async () => (await person.ask(TRANSFER, transferOf(wallet))).data.challengeId as string;
  const [expired, declined, approved] = [await ask(), await ask(), await ask()];
  await chain.control('POST', `/challenges/${expired}/expire`);
  await chain.control('POST', `/challenges/${declined}/reject`);
  await person.approve(approved);

  expect(await person.approve(expired)).toMatchObject({ status: 403, code: 155121 });
  expect(await person.approve(declined)).toMatchObject({ status: 403, code: 155122 });
  expect(await person.approve(approved)).toMatchObject({ status: 403, code: 155122 });
  expect(await person.challenge(expired)).toMatchObject({ status: 'EXPIRED' });
  expect(await person.challenge(declined)).toMatchObject({ status: 'FAILED' });
  expect(await outbound(person)).toHaveLength(1);
});

test('a wrong PIN sends nothing, and the challenge stays open', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain);
  const { data } = await person.ask(TRANSFER, transferOf(wallet));
  expect(await person.approve(data.challengeId, { pin: '999999' })).toMatchObject({ status: 400, code: 155112 });
  expect(await outbound(person)).toEqual([]);
  await person.approve(data.challengeId, { pin: PIN });
  expect(await outbound(person)).toHaveLength(1);
});

test('all is checked again at the approval: a challenge that can not be carried out any more fails', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain);
  // Each by itself can be paid, but not the two.
  const ask = async (amount: string) =>
    (await person.ask(TRANSFER, transferOf(wallet, { amounts: [amount] }))).data.challengeId as string;
  const [first, second, third] = [await ask('60'), await ask('60'), await ask('1')];
  await person.approve(first);
  expect((await person.approve(second)).status).toBe(200);
  const failed = await person.challenge(second);
  expect(failed).toMatchObject({ status: 'FAILED', errorCode: 155201, errorMessage: expect.stringMatching(/\w/) });
  expect(failed.correlationIds).toBeUndefined();

  await chain.world.control.call('POST', `/wallets/${wallet.id}/freeze`);
  await person.approve(third);
  expect(await person.challenge(third)).toMatchObject({ status: 'FAILED', errorCode: 155501 });
  expect(await outbound(person)).toHaveLength(1);
  expect((await chain.audit()).problems).toEqual([]);
});

test('requests that can not be carried out are refused before the user is asked', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain);
  const refused: [path: string, body: object, code: number, status: number][] = [
    [TRANSFER, transferOf(wallet, { amounts: ['101'] }), 155201, 400],
    [TRANSFER, transferOf(wallet, { feeLevel: undefined }), 155231, 400],
    [TRANSFER, transferOf(wallet, { destinationAddress: 'nowhere' }), 155219, 400],
    [TRANSFER, transferOf(wallet, { tokenId: token('BASE-SEPOLIA', 'USDC') }), 155220, 400],
    [TRANSFER, transferOf(wallet, { blockchain: 'BASE-SEPOLIA' }), 155225, 400],
    [TRANSFER, transferOf(wallet, { sourceAddress: wallet.address, blockchain: wallet.blockchain }), 155244, 400],
    [TRANSFER, transferOf(wallet, { walletId: randomUUID() }), 156001, 404],
    [CALL, { walletId: wallet.id, contractAddress: STRANGER, feeLevel: 'LOW' }, 155230, 400],
    [
      CALL,
      { walletId: wallet.id, contractAddress: STRANGER, callData: '0x', abiParameters: [], feeLevel: 'LOW' },
      155247,
      400,
    ],
    [`/user/transactions/${randomUUID()}/accelerate`, {}, 156003, 404],
    ['/user/transactions/17/cancel', {}, 156009, 400],
  ];
  for (const [path, body, code, status] of refused) {
    expect({ path, body, answer: await person.ask(path, body) }).toMatchObject({
      path,
      body,
      answer: { code, status },
    });
  }
  expect((await person.get('/user/challenges')).data.challenges).toEqual([]);
  const withoutToken = await chain.send('POST', TRANSFER, { idempotencyKey: randomUUID(), ...transferOf(wallet) });
  expect(withoutToken).toMatchObject({ status: 400, code: 2 });
});

test('a source by address is the same as by wallet id', async () => {
  const chain = await Chain.open();
  const { person, wallet } = await payer(chain);
  const { walletId: _, ...rest } = transferOf(wallet);
  const { address: sourceAddress, blockchain } = wallet;
  const { data } = await person.ask(TRANSFER, { ...rest, sourceAddress, blockchain });
  await person.approve(data.challengeId);
  expect(await outbound(person)).toMatchObject([{ walletId: wallet.id }]);
});

test('wallets and transactions of others are not found, the developer’s among them', async () => {
  const chain = await Chain.open();
  const [anna, bert] = [await payer(chain), await payer(chain)];
  const developers = await chain.wallet();
  await chain.fund(developers, { native: '1', USDC: '10' });
  const annas = await sent(anna.person, anna.wallet);
  const ours = (await chain.transfer(developers)).data.id;

  for (const wallet of [anna.wallet, developers]) {
    expect(await bert.person.ask(TRANSFER, transferOf(wallet))).toMatchObject({ status: 404, code: 156001 });
    const { walletId: _, ...rest } = transferOf(wallet);
    const byAddress = { ...rest, sourceAddress: wallet.address, blockchain: wallet.blockchain };
    expect(await bert.person.ask(TRANSFER, byAddress)).toMatchObject({ status: 404, code: 156001 });
  }
  for (const id of [annas, ours]) {
    for (const verb of ['accelerate', 'cancel']) {
      expect(await bert.person.ask(`/user/transactions/${id}/${verb}`)).toMatchObject({ status: 404, code: 156003 });
    }
    expect(await bert.person.get(`/transactions/${id}`)).toMatchObject({ status: 404, code: 156003 });
  }
  // Nor has the entity secret a say over what users approve.
  expect(await chain.transfer(anna.wallet)).toMatchObject({ status: 404, code: 156001 });
  expect(await chain.effect(`/developer/transactions/${annas}/cancel`)).toMatchObject({ status: 404, code: 156003 });

  expect(await outbound(anna.person)).toMatchObject([{ id: annas }]);
  expect(await outbound(bert.person)).toEqual([]);
  const all = (await chain.get('/transactions?txType=OUTBOUND')).data.transactions as { id: string }[];
  expect(new Set(all.map(({ id }) => id))).toEqual(new Set([annas, ours]));
  const byUser = await chain.get(`/transactions?userId=${anna.person.id}`);
  expect(byUser).toMatchObject({ status: 400, code: 155223 });
});

test('estimates with a user token are for the own wallets', async () => {
  const chain = await Chain.open();
  const [anna, bert] = [await payer(chain), await payer(chain)];
  const { feeLevel: _, ...body } = transferOf(anna.wallet);
  const path = '/transactions/transfer/estimateFee';
  expect((await anna.person.send('POST', path, body)).data.medium.networkFee).toMatch(/^0\.\d+$/);
  expect(await bert.person.send('POST', path, body)).toMatchObject({ status: 404, code: 156001 });
  expect((await chain.send('POST', path, body)).status).toBe(200);
});

test.each(['reject', 'replay'] as const)('a key that is used twice opens one challenge: %s', async (idempotency) => {
  const chain = await Chain.open({ idempotency });
  const [anna, bert] = [await payer(chain), await payer(chain)];
  const idempotencyKey = randomUUID();
  const body = transferOf(anna.wallet, { idempotencyKey });
  const first = await anna.person.ask(TRANSFER, body);
  const again = await anna.person.ask(TRANSFER, body);
  if (idempotency === 'replay') expect(again).toMatchObject({ status: 200, data: first.data });
  else expect(again).toMatchObject({ status: 403, code: 156020 });
  const theirs = await bert.person.ask(TRANSFER, transferOf(bert.wallet, { idempotencyKey }));
  expect(theirs).toMatchObject({ status: 403, code: 156020 });
  expect((await anna.person.get('/user/challenges')).data.challenges).toHaveLength(1);
});

test('webhooks of transactions and challenges name the user', async () => {
  const chain = await Chain.open();
  const receiver = await chain.subscribe();
  const { person, wallet } = await payer(chain);
  const id = await sent(person, wallet);
  await chain.settle();
  receiver.close();

  const received = receiver.received.map(({ body }) => body);
  const outgoing = received.filter(({ notificationType }) => notificationType === 'transactions.outbound');
  const states = outgoing.map(({ notification }) => notification.state);
  expect(new Set(states)).toEqual(new Set(['QUEUED', 'SENT', 'CONFIRMED', 'COMPLETE']));
  for (const { notification } of outgoing) expect(notification).toMatchObject({ id, userId: person.id });
  const [approval] = received.filter(({ notificationType }) => notificationType === 'challenges.createTransaction');
  expect(approval?.notification).toMatchObject({ userId: person.id, status: 'COMPLETE', correlationIds: [id] });
});
