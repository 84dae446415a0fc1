import { ed25519 } from '@noble/curves/ed25519';
import { base58 } from '@scure/base';
import { createHash } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import {
  action,
  blob,
  DELEGATE_PREFIX,
  delegateActionOf,
  list,
  publicKey,
  RECEIVER,
  text,
  u128,
  u64,
} from './nearBorsh';

afterAll(closeOwnEmulator);

const OTHER_KEY = Buffer.alloc(32, 4);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

const ACTIONS = [
  action(0),
  action(1, blob(20)),
  action(2, text('ft_transfer'), blob(5), u64, u128),
  action(3, u128),
  action(4, u128, publicKey(OTHER_KEY)),
  action(5, publicKey(OTHER_KEY), u64, Buffer.from([1])),
  action(5, publicKey(OTHER_KEY), u64, Buffer.from([0, 1]), u128, text(RECEIVER), list([text('a'), text('b')])),
  action(5, publicKey(OTHER_KEY), u64, Buffer.from([0, 0]), text(RECEIVER), list([])),
  action(6, Buffer.concat([Buffer.from([1]), Buffer.alloc(64)])),
  action(7, text(RECEIVER)),
];

let client: TestClient;
let wallet: { id: string; address: string };
let key: Buffer;
beforeAll(async () => {
  client = await TestClient.open();
  wallet = await client.wallet('NEAR-TESTNET');
  key = Buffer.from(wallet.address, 'hex');
});

interface Form {
  sender?: string;
  signingKey?: Buffer;
  actions?: Buffer[];
}
const transaction = ({ sender = wallet.address, signingKey = key, actions = ACTIONS }: Form = {}) =>
  Buffer.concat([text(sender), publicKey(signingKey), u64, text(RECEIVER), Buffer.alloc(32, 3), list(actions)]);
const delegateAction = ({ sender = wallet.address, signingKey = key, actions = ACTIONS }: Form = {}) =>
  delegateActionOf(sender, signingKey, actions);

describe('transactions', () => {
  const send = (rawTransaction: string) =>
    client.postWithKey('/developer/sign/transaction', { walletId: wallet.id, rawTransaction });
  const sign = (bytes: Buffer) => send(bytes.toString('base64'));

  test('the signature covers the hash, which is the id, and follows the transaction', async () => {
    const unsigned = transaction();
    const { status, data } = await sign(unsigned);
    expect(status).toBe(200);
    const signature = base58.decode(data.signature);
    expect(ed25519.verify(signature, sha256(unsigned), key)).toBe(true);
    expect(base58.decode(data.txHash)).toEqual(Uint8Array.from(sha256(unsigned)));
    const expected = Buffer.concat([unsigned, Buffer.from([0]), signature]);
    expect(data.signedTransaction).toBe(expected.toString('base64'));
  });

  test('a transaction of the maximum size is signed', async () => {
    const ofSize = (length: number) => transaction({ actions: [action(1, blob(length))] });
    const max = 1_572_864 - ofSize(0).length;
    expect((await sign(ofSize(max))).status).toBe(200);
    expect(await sign(ofSize(max + 1))).toMatchObject({ status: 400, code: 155806 });
  });

  test('each invalid request is rejected with its code', async () => {
    const signed = Buffer.from((await sign(transaction())).data.signedTransaction, 'base64');
    const rejected: Record<string, [raw: Buffer | string, code: number]> = {
      'no base64': ['AAA', 155801],
      'another account': [transaction({ sender: 'other.testnet' }), 155802],
      'another key': [transaction({ signingKey: OTHER_KEY }), 155803],
      'signed already': [signed, 155804],
      'cut off': [transaction().subarray(0, -1), 155805],
      'something follows': [Buffer.concat([transaction(), Buffer.alloc(2)]), 155805],
      'an action that does not exist': [transaction({ actions: [action(200)] }), 155805],
    };
    for (const [problem, [raw, code]] of Object.entries(rejected)) {
      const response = await (typeof raw === 'string' ? send(raw) : sign(raw));
      expect({ what: problem, response }).toMatchObject({ what: problem, response: { status: 400, code } });
    }
  });
});

describe('delegate actions', () => {
  const send = (unsignedDelegateAction: string, walletId = wallet.id) =>
    client.postWithKey('/developer/sign/delegateAction', { walletId, unsignedDelegateAction });
  const sign = (bytes: Buffer) => send(bytes.toString('base64'));

  test('the signature covers the hash with its prefix, which the request may include', async () => {
    const unsigned = delegateAction();
    const { status, data } = await sign(unsigned);
    expect(status).toBe(200);
    const signature = base58.decode(data.signature);
    const prefixed = Buffer.concat([DELEGATE_PREFIX, unsigned]);
    expect(ed25519.verify(signature, sha256(prefixed), key)).toBe(true);
    const expected = Buffer.concat([unsigned, Buffer.from([0]), signature]);
    expect(data.signedDelegateAction).toBe(expected.toString('base64'));
    expect((await sign(prefixed)).data).toEqual(data);
  });

  test('each invalid request is rejected with its code', async () => {
    const rejected: Record<string, [raw: Buffer | string, code: number]> = {
      'no base64': ['no base64', 156030],
      empty: ['', 156030],
      'cut off': [delegateAction().subarray(0, -1), 156030],
      'something follows': [Buffer.concat([delegateAction(), Buffer.alloc(1)]), 156030],
      'a transaction': [transaction(), 156030],
      'a delegate action in it': [delegateAction({ actions: [action(8)] }), 156030],
      'another account': [delegateAction({ sender: 'other.testnet' }), 155802],
      'another key': [delegateAction({ signingKey: OTHER_KEY }), 155803],
    };
    for (const [problem, [raw, code]] of Object.entries(rejected)) {
      const response = await (typeof raw === 'string' ? send(raw) : sign(raw));
      expect({ what: problem, response }).toMatchObject({ what: problem, response: { status: 400, code } });
    }
    const evm = await client.wallet();
    expect(await send('AA==', evm.id)).toMatchObject({ status: 400, code: 155510 });
  });
});
