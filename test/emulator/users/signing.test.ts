import { randomUUID } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519';
import { base58 } from '@scure/base';
import { TypedDataEncoder, hashMessage } from 'ethers';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { signerOf } from '../signing/recovery';
import { PROGRAM, SIGNATURE, wire } from '../signing/solanaWire';
import { Person } from './support';

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

let chain: Chain;
let person: Person;
let evm: UserWallet;
let solana: UserWallet;
beforeAll(async () => {
  chain = await Chain.open();
  person = await Person.initialized(chain, ['ETH-SEPOLIA', 'SOL-DEVNET']);
  const { wallets } = (await person.get('/wallets')).data as { wallets: UserWallet[] };
  evm = wallets.find(({ blockchain }) => blockchain === 'ETH-SEPOLIA')!;
  solana = wallets.find(({ blockchain }) => blockchain === 'SOL-DEVNET')!;
});

/** Signing calls have no idempotency key. */
const ask = (kind: string, body: object, by = person) => by.send('POST', `/user/sign/${kind}`, body);

/** Asks and approves: what the client is told, and the challenge. */
async function sign(kind: string, body: object) {
  const { status, data } = await ask(kind, body);
  expect(status).toBe(201);
  expect(data).toEqual({ challengeId: expect.any(String) });
  const told = (await person.approve(data.challengeId)).body;
  return { told, challenge: await person.challenge(data.challengeId) };
}

function solanaTransaction(signer = base58.decode(solana.address)) {
  return wire({ accounts: [Buffer.from(signer), PROGRAM], signers: 1 });
}

test('a message: the client learns the signature, the challenge does not hold it', async () => {
  const { told, challenge } = await sign('message', { walletId: evm.id, message: 'I agree', memo: 'terms' });
  expect(told).toMatchObject({ type: 'SIGN_MESSAGE', data: { signature: expect.any(String) } });
  expect(signerOf(hashMessage('I agree'), told.data.signature)).toBe(evm.address);
  expect(challenge).toMatchObject({ type: 'SIGN_MESSAGE', status: 'COMPLETE' });
  expect(JSON.stringify(challenge)).not.toContain(told.data.signature);

  const other = await sign('message', { walletAddress: solana.address, blockchain: 'SOL-DEVNET', message: 'I agree' });
  const key = base58.decode(solana.address);
  expect(ed25519.verify(base58.decode(other.told.data.signature), Buffer.from('I agree'), key)).toBe(true);
});

test('typed data', async () => {
  const { told, challenge } = await sign('typedData', { walletId: evm.id, data: TYPED_DATA });
  expect(signerOf(TypedDataEncoder.hash(DOMAIN, TYPES, MESSAGE), told.data.signature)).toBe(evm.address);
  expect(challenge).toMatchObject({ type: 'SIGN_TYPEDDATA', status: 'COMPLETE' });
});

test('a Solana transaction', async () => {
  const unsigned = solanaTransaction();
  const { told, challenge } = await sign('transaction', {
    walletId: solana.id,
    rawTransaction: unsigned.toString('base64'),
  });
  const signature = base58.decode(told.data.signature);
  const message = unsigned.subarray(1 + SIGNATURE);
  expect(ed25519.verify(signature, message, base58.decode(solana.address))).toBe(true);
  const expected = Buffer.concat([unsigned.subarray(0, 1), signature, message]);
  expect(told.data.signedTransaction).toBe(expected.toString('base64'));
  expect(challenge).toMatchObject({ type: 'SIGN_TRANSACTION', status: 'COMPLETE' });
});

test('refusals before the user is asked, each by its code', async () => {
  const signed = async () => {
    const { told } = await sign('transaction', {
      walletId: solana.id,
      rawTransaction: solanaTransaction().toString('base64'),
    });
    return told.data.signedTransaction as string;
  };
  const raw = (bytes: Buffer) => ({ walletId: solana.id, rawTransaction: bytes.toString('base64') });
  const contract = await Person.initialized(chain, ['ETH-SEPOLIA'], 'SCA');
  const [undeployed] = (await contract.get('/wallets')).data.wallets;
  const refused: [kind: string, body: object, code: number, status: number, by?: Person][] = [
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
    // Solana alone (spec), whatever the transaction is.
    ['transaction', { walletId: evm.id, rawTransaction: '0x00' }, 155510, 400],
    ['transaction', { walletId: evm.id, transaction: '{}' }, 155510, 400],
    ['transaction', { walletId: solana.id }, 155801, 400],
    ['transaction', { walletId: solana.id, rawTransaction: '%%%' }, 155801, 400],
    ['transaction', raw(solanaTransaction(Buffer.alloc(32, 1))), 155802, 400],
    ['transaction', { walletId: solana.id, rawTransaction: await signed() }, 155804, 400],
    ['transaction', raw(solanaTransaction().subarray(1)), 155805, 400],
    ['transaction', raw(wire({ accounts: [PROGRAM, PROGRAM], signers: 1, dataBytes: 1_100 })), 155806, 400],
  ];
  for (const [kind, body, code, status, by] of refused) {
    expect({ kind, body, answer: await ask(kind, body, by) }).toMatchObject({ kind, body, answer: { code, status } });
  }
  expect((await person.get('/user/challenges')).data.challenges).toEqual([]);
});

test('nobody signs with the wallets of others', async () => {
  const other = await Person.initialized(chain);
  const developers = await chain.wallet();
  for (const { id, address, blockchain } of [evm, developers]) {
    const byId = await ask('message', { walletId: id, message: 'a' }, other);
    expect(byId).toMatchObject({ status: 404, code: 156001 });
    const byAddress = await ask('message', { walletAddress: address, blockchain, message: 'a' }, other);
    expect(byAddress).toMatchObject({ status: 404, code: 156001 });
  }
  const developer = await chain.effect('/developer/sign/message', { walletId: evm.id, message: 'a' });
  expect(developer).toMatchObject({ status: 404, code: 156001 });
  const { data } = await ask('message', { walletId: evm.id, message: 'a' });
  expect(await other.get(`/user/challenges/${data.challengeId}`)).toMatchObject({ status: 404, code: 155116 });
});

test('what expires or is declined is not signed, nor by a wallet that is frozen by then', async () => {
  const owner = await Person.initialized(chain, ['ETH-SEPOLIA']);
  const [{ id: walletId }] = (await owner.get('/wallets')).data.wallets;
  const open = async () => (await ask('message', { walletId, message: 'a' }, owner)).data.challengeId as string;
  const [expired, declined, frozen] = [await open(), await open(), await open()];
  await chain.control('POST', `/challenges/${expired}/expire`);
  await chain.control('POST', `/challenges/${declined}/reject`);
  expect(await owner.approve(expired)).toMatchObject({ status: 403, code: 155121 });
  expect(await owner.approve(declined)).toMatchObject({ status: 403, code: 155122 });
  await chain.world.control.call('POST', `/wallets/${walletId}/freeze`);
  expect((await owner.approve(frozen)).body.data).toBeUndefined();
  expect(await owner.challenge(frozen)).toMatchObject({ status: 'FAILED', errorCode: 155501 });
});

test('a second call is a second challenge', async () => {
  const body = { walletId: evm.id, message: 'twice' };
  const [first, second] = [await ask('message', body), await ask('message', body)];
  expect(first.data.challengeId).not.toBe(second.data.challengeId);
  await person.approve(first.data.challengeId);
  expect(await person.approve(first.data.challengeId)).toMatchObject({ status: 403, code: 155122 });
  expect((await person.approve(second.data.challengeId)).body.data.signature).toEqual(expect.any(String));
});
