import { ed25519 } from '@noble/curves/ed25519';
import { base58 } from '@scure/base';
import { hashMessage, TypedDataEncoder } from 'ethers';
import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { signerOf } from '../signing/recovery';
import { PROGRAM, SIGNATURE, wire } from '../signing/solanaWire';
import { TestUser } from './support';

afterAll(closeOwnEmulator);

interface UserWallet {
  id: string;
  address: string;
  blockchain: string;
}

const TYPES = { Mail: [{ name: 'text', type: 'string' }] };
const DOMAIN = { name: 'Mail', chainId: 11_155_111 };
const MESSAGE = { text: 'hello' };
const TYPED_DATA = JSON.stringify({ types: TYPES, primaryType: 'Mail', domain: DOMAIN, message: MESSAGE });

let client: TestClient;
let user: TestUser;
let evm: UserWallet;
let solana: UserWallet;
beforeAll(async () => {
  client = await TestClient.open();
  user = await TestUser.initialized(client, ['ETH-SEPOLIA', 'SOL-DEVNET']);
  const { wallets } = (await user.get('/wallets')).data as { wallets: UserWallet[] };
  evm = wallets.find(({ blockchain }) => blockchain === 'ETH-SEPOLIA')!;
  solana = wallets.find(({ blockchain }) => blockchain === 'SOL-DEVNET')!;
});

/** Signing calls have no idempotency key. */
const requestSignature = (kind: string, body: object, by = user) => by.send('POST', `/user/sign/${kind}`, body);

/** Requests a signature and approves it. @returns the response to the user's client, and the challenge */
async function sign(kind: string, body: object) {
  const { status, data } = await requestSignature(kind, body);
  expect(status).toBe(201);
  expect(data).toEqual({ challengeId: expect.any(String) });
  const response = (await user.approve(data.challengeId)).body;
  return { response, challenge: await user.challenge(data.challengeId) };
}

function solanaTransaction(signer = base58.decode(solana.address)) {
  return wire({ accounts: [Buffer.from(signer), PROGRAM], signers: 1 });
}

test("the signature of a message is in the response to the user's client but not in the challenge", async () => {
  const { response, challenge } = await sign('message', { walletId: evm.id, message: 'I agree', memo: 'terms' });
  expect(response).toMatchObject({ type: 'SIGN_MESSAGE', data: { signature: expect.any(String) } });
  expect(signerOf(hashMessage('I agree'), response.data.signature)).toBe(evm.address);
  expect(challenge).toMatchObject({ type: 'SIGN_MESSAGE', status: 'COMPLETE' });
  expect(JSON.stringify(challenge)).not.toContain(response.data.signature);

  const other = await sign('message', { walletAddress: solana.address, blockchain: 'SOL-DEVNET', message: 'I agree' });
  const key = base58.decode(solana.address);
  expect(ed25519.verify(base58.decode(other.response.data.signature), Buffer.from('I agree'), key)).toBe(true);
});

test('a user signs typed data', async () => {
  const { response, challenge } = await sign('typedData', { walletId: evm.id, data: TYPED_DATA });
  expect(signerOf(TypedDataEncoder.hash(DOMAIN, TYPES, MESSAGE), response.data.signature)).toBe(evm.address);
  expect(challenge).toMatchObject({ type: 'SIGN_TYPEDDATA', status: 'COMPLETE' });
});

test('a user signs a Solana transaction', async () => {
  const unsigned = solanaTransaction();
  const { response, challenge } = await sign('transaction', {
    walletId: solana.id,
    rawTransaction: unsigned.toString('base64'),
  });
  const signature = base58.decode(response.data.signature);
  const message = unsigned.subarray(1 + SIGNATURE);
  expect(ed25519.verify(signature, message, base58.decode(solana.address))).toBe(true);
  const expected = Buffer.concat([unsigned.subarray(0, 1), signature, message]);
  expect(response.data.signedTransaction).toBe(expected.toString('base64'));
  expect(challenge).toMatchObject({ type: 'SIGN_TRANSACTION', status: 'COMPLETE' });
});

test('each invalid request is rejected with its code before a challenge is opened', async () => {
  const signed = async () => {
    const { response } = await sign('transaction', {
      walletId: solana.id,
      rawTransaction: solanaTransaction().toString('base64'),
    });
    return response.data.signedTransaction as string;
  };
  const raw = (bytes: Buffer) => ({ walletId: solana.id, rawTransaction: bytes.toString('base64') });
  const contract = await TestUser.initialized(client, ['ETH-SEPOLIA'], 'SCA');
  const [undeployed] = (await contract.get('/wallets')).data.wallets;
  const rejected: [kind: string, body: object, code: number, status: number, by?: TestUser][] = [
    ['message', { walletId: evm.id }, 2, 400],
    ['message', { walletId: evm.id, message: 'a', encodedByHex: true }, 156023, 409],
    ['message', { walletId: evm.id, message: '' }, 156025, 400],
    [
      'message',
      { walletId: evm.id, walletAddress: evm.address, blockchain: evm.blockchain, message: 'a' },
      155244,
      400,
    ],
    ['message', { walletId: randomUUID(), message: 'a' }, 156001, 404],
    ['message', { walletId: undeployed.id, message: 'a' }, 155517, 400, contract],
    ['typedData', { walletId: evm.id, data: '{' }, 156024, 400],
    ['typedData', { walletId: evm.id, data: '{}' }, 156026, 400],
    ['typedData', { walletId: evm.id, data: TYPED_DATA.replace('11155111', '1337') }, 155807, 400],
    ['typedData', { walletId: evm.id, data: TYPED_DATA.replace(',"chainId":11155111', '') }, 155808, 400],
    ['typedData', { walletId: solana.id, data: TYPED_DATA }, 155510, 400],
    // The API signs user transactions only on Solana.
    ['transaction', { walletId: evm.id, rawTransaction: '0x00' }, 155510, 400],
    ['transaction', { walletId: evm.id, transaction: '{}' }, 155510, 400],
    ['transaction', { walletId: solana.id }, 155801, 400],
    ['transaction', { walletId: solana.id, rawTransaction: '%%%' }, 155801, 400],
    ['transaction', raw(solanaTransaction(Buffer.alloc(32, 1))), 155802, 400],
    ['transaction', { walletId: solana.id, rawTransaction: await signed() }, 155804, 400],
    ['transaction', raw(solanaTransaction().subarray(1)), 155805, 400],
    ['transaction', raw(wire({ accounts: [PROGRAM, PROGRAM], signers: 1, dataBytes: 1_100 })), 155806, 400],
  ];
  for (const [kind, body, code, status, by] of rejected) {
    expect({ kind, body, response: await requestSignature(kind, body, by) }).toMatchObject({
      kind,
      body,
      response: { code, status },
    });
  }
  expect((await user.get('/user/challenges')).data.challenges).toEqual([]);
});

test("a user cannot sign with another user's wallet", async () => {
  const other = await TestUser.initialized(client);
  const developers = await client.wallet();
  for (const { id, address, blockchain } of [evm, developers]) {
    const byId = await requestSignature('message', { walletId: id, message: 'a' }, other);
    expect(byId).toMatchObject({ status: 404, code: 156001 });
    const byAddress = await requestSignature('message', { walletAddress: address, blockchain, message: 'a' }, other);
    expect(byAddress).toMatchObject({ status: 404, code: 156001 });
  }
  const developer = await client.postWithKey('/developer/sign/message', { walletId: evm.id, message: 'a' });
  expect(developer).toMatchObject({ status: 404, code: 156001 });
  const { data } = await requestSignature('message', { walletId: evm.id, message: 'a' });
  expect(await other.get(`/user/challenges/${data.challengeId}`)).toMatchObject({ status: 404, code: 155116 });
});

test('nothing is signed if the challenge expires, is declined, or the wallet is frozen by then', async () => {
  const owner = await TestUser.initialized(client, ['ETH-SEPOLIA']);
  const [{ id: walletId }] = (await owner.get('/wallets')).data.wallets;
  const open = async () =>
    (await requestSignature('message', { walletId, message: 'a' }, owner)).data.challengeId as string;
  const [expired, declined, frozen] = [await open(), await open(), await open()];
  await client.control('POST', `/challenges/${expired}/expire`);
  await client.control('POST', `/challenges/${declined}/reject`);
  expect(await owner.approve(expired)).toMatchObject({ status: 403, code: 155121 });
  expect(await owner.approve(declined)).toMatchObject({ status: 403, code: 155122 });
  await client.world.control.call('POST', `/wallets/${walletId}/freeze`);
  expect((await owner.approve(frozen)).body.data).toBeUndefined();
  expect(await owner.challenge(frozen)).toMatchObject({ status: 'FAILED', errorCode: 155501 });
});

test('a second call opens a second challenge', async () => {
  const body = { walletId: evm.id, message: 'twice' };
  const [first, second] = [await requestSignature('message', body), await requestSignature('message', body)];
  expect(first.data.challengeId).not.toBe(second.data.challengeId);
  await user.approve(first.data.challengeId);
  expect(await user.approve(first.data.challengeId)).toMatchObject({ status: 403, code: 155122 });
  expect((await user.approve(second.data.challengeId)).body.data.signature).toEqual(expect.any(String));
});
