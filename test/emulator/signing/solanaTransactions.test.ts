import { ed25519 } from '@noble/curves/ed25519';
import { base58 } from '@scure/base';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { KEY, PROGRAM, SIGNATURE, wire } from './solanaWire';

afterAll(closeOwnEmulator);

const PAYER = Buffer.alloc(KEY, 1);

let client: TestClient;
let wallet: { id: string; address: string };
let own: Buffer;
beforeAll(async () => {
  client = await TestClient.open();
  wallet = await client.wallet('SOL-DEVNET');
  own = Buffer.from(base58.decode(wallet.address));
});

const send = (rawTransaction: string) =>
  client.postWithKey('/developer/sign/transaction', { walletId: wallet.id, rawTransaction });
const sign = (bytes: Buffer) => send(bytes.toString('base64'));

test.each([
  ['the only signer', false, 0],
  ['the second signer', false, 1],
  ['the second signer of version 0', true, 1],
])('the signature of %s is at its position', async (_name, version0, index) => {
  const accounts = index === 0 ? [own, PROGRAM] : [PAYER, own, PROGRAM];
  const unsigned = wire({ accounts, signers: index + 1, version0 });
  const { status, data } = await sign(unsigned);
  expect(status).toBe(200);
  expect(data.txHash).toBeUndefined();
  const signature = Buffer.from(base58.decode(data.signature));
  const message = unsigned.subarray(1 + (index + 1) * SIGNATURE);
  expect(ed25519.verify(signature, message, own)).toBe(true);

  const expected = Buffer.from(unsigned);
  signature.copy(expected, 1 + index * SIGNATURE);
  expect(data.signedTransaction).toBe(expected.toString('base64'));
});

test('other signatures are unchanged', async () => {
  const otherSignature = Buffer.alloc(SIGNATURE, 3);
  const form = { accounts: [PAYER, own, PROGRAM], signers: 2, signatures: [otherSignature, Buffer.alloc(SIGNATURE)] };
  const { data } = await sign(wire(form));
  expect(Buffer.from(data.signedTransaction, 'base64').subarray(1, 1 + SIGNATURE)).toEqual(otherSignature);
});

test('each invalid request is rejected with its code', async () => {
  const fine = wire({ accounts: [own, PROGRAM], signers: 1 });
  const signed = Buffer.from((await sign(fine)).data.signedTransaction, 'base64');
  const largest = wire({ accounts: [own, PROGRAM], signers: 1, dataBytes: 1_061 });
  expect(largest).toHaveLength(1_232);
  expect((await sign(largest)).status).toBe(200);
  const versionOne = wire({ accounts: [own, PROGRAM], signers: 1, version0: true });
  versionOne[1 + SIGNATURE] = 0x81;

  const rejected: Record<string, [raw: Buffer | string, code: number]> = {
    'no base64': ['%%%', 155801],
    'the wallet is no account of it': [wire({ accounts: [PAYER, PROGRAM], signers: 1 }), 155802],
    'the wallet is an account that does not sign': [wire({ accounts: [PAYER, own, PROGRAM], signers: 1 }), 155803],
    'signed already': [signed, 155804],
    'cut off': [fine.subarray(0, -1), 155805],
    'something follows': [Buffer.concat([fine, Buffer.alloc(1)]), 155805],
    'a version that does not exist': [versionOne, 155805],
    'too few places': [wire({ accounts: [own, PROGRAM], signers: 2, signatures: [Buffer.alloc(SIGNATURE)] }), 155805],
    'no signer': [wire({ accounts: [own, PROGRAM], signers: 0 }), 155805],
    'more signers than accounts': [wire({ accounts: [own], signers: 2 }), 155805],
    'too large': [wire({ accounts: [own, PROGRAM], signers: 1, dataBytes: 1_062 }), 155806],
  };
  for (const [problem, [raw, code]] of Object.entries(rejected)) {
    const response = await (typeof raw === 'string' ? send(raw) : sign(raw));
    expect({ what: problem, response }).toMatchObject({ what: problem, response: { status: 400, code } });
  }
});
