import { TypedDataEncoder } from 'ethers';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient } from '../chain/support';
import { signerOf } from './recovery';

afterAll(closeOwnEmulator);

const CHAIN_ID = 11_155_111;
const EIP712_DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
];

/** A mail to several receivers, so it contains structs, arrays and integers. */
function mail(number: number) {
  const receivers = Array.from({ length: number % 3 }, (_, n) => ({ name: `Bob ${n}`, wallet: STRANGER }));
  return {
    types: {
      EIP712Domain: EIP712_DOMAIN,
      Person: [
        { name: 'name', type: 'string' },
        { name: 'wallet', type: 'address' },
      ],
      Mail: [
        { name: 'to', type: 'Person[]' },
        { name: 'number', type: 'uint256' },
        { name: 'text', type: 'string' },
      ],
    },
    domain: { name: 'Mail', chainId: CHAIN_ID },
    primaryType: 'Mail',
    message: { to: receivers, number: String(number), text: 'hello' },
  };
}

let client: TestClient;
let wallet: { id: string; address: string };
beforeAll(async () => {
  client = await TestClient.open();
  wallet = await client.wallet();
});

const send = (data: string, walletId = wallet.id) =>
  client.postWithKey('/developer/sign/typedData', { walletId, data });
const sign = (data: object) => send(JSON.stringify(data));

/** Contracts reject signatures whose `v` is 0 or 1. */
test('twenty signatures end with 27 or 28 and recover to the address of the wallet', async () => {
  const ends = new Set<string>();
  for (let number = 1; number <= 20; number++) {
    const data = mail(number);
    const { status, data: response } = await sign(data);
    expect(status).toBe(200);
    const { EIP712Domain: _, ...types } = data.types;
    const hash = TypedDataEncoder.hash(data.domain, types, data.message);
    expect(signerOf(hash, response.signature)).toBe(wallet.address);
    ends.add(response.signature.slice(-2));
  }
  expect([...ends].toSorted()).toEqual(['1b', '1c']);
});

test('the example of EIP-712 has the documented hash', async () => {
  const wallets = {
    Cow: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
    Bob: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
  };
  const { signature } = (
    await sign({
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        Person: mail(1).types.Person,
        Mail: [
          { name: 'from', type: 'Person' },
          { name: 'to', type: 'Person' },
          { name: 'contents', type: 'string' },
        ],
      },
      primaryType: 'Mail',
      domain: {
        name: 'Ether Mail',
        version: '1',
        chainId: 1,
        verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
      },
      message: {
        from: { name: 'Cow', wallet: wallets.Cow },
        to: { name: 'Bob', wallet: wallets.Bob },
        contents: 'Hello, Bob!',
      },
    })
  ).data;
  const published = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';
  expect(signerOf(published, signature)).toBe(wallet.address);
});

test('a missing domain type is derived from the fields of the domain', async () => {
  const { EIP712Domain: _, ...types } = mail(2).types;
  const data = { ...mail(2), types };
  expect((await sign(data)).data.signature).toBe((await sign(mail(2))).data.signature);
});

test('each invalid request is rejected with its code', async () => {
  const { types, domain, message, primaryType } = mail(1);
  const rejected: Record<string, [data: object | string, code: number]> = {
    'no JSON': ['{"types":', 156024],
    'no chain id': [{ ...mail(1), domain: { name: 'Mail' } }, 155808],
    'a chain id that is not signed': [
      { ...mail(1), types: { ...types, EIP712Domain: EIP712_DOMAIN.slice(0, 1) } },
      155808,
    ],
    'a chain id of nowhere': [{ ...mail(1), domain: { ...domain, chainId: 1_337 } }, 155807],
    'a chain id that is no number': [{ ...mail(1), domain: { ...domain, chainId: 'ETH' } }, 156026],
    'JSON of something else': ['[]', 156026],
    'no types': [{ domain, message, primaryType }, 156026],
    'a type that is missing': [{ ...mail(1), types: { EIP712Domain: EIP712_DOMAIN, Mail: types.Mail } }, 156026],
    'a primary type that is missing': [{ ...mail(1), primaryType: 'Letter' }, 156026],
    'a field that is missing': [{ ...mail(1), message: { ...message, number: undefined } }, 156026],
    'a number out of its range': [{ ...mail(1), message: { ...message, number: '-1' } }, 156026],
    'an address with a wrong checksum': [
      { ...mail(1), message: { ...message, to: [{ name: 'Bob', wallet: STRANGER.replace('B', 'b') }] } },
      156026,
    ],
  };
  for (const [problem, [data, code]] of Object.entries(rejected)) {
    const response = await send(typeof data === 'string' ? data : JSON.stringify(data));
    expect({ what: problem, response }).toMatchObject({ what: problem, response: { status: 400, code } });
  }
  const solana = await client.wallet('SOL-DEVNET');
  expect(await send(JSON.stringify(mail(1)), solana.id)).toMatchObject({ status: 400, code: 155510 });
  const contract = await client.wallet('ETH-SEPOLIA', 'SCA');
  expect(await send(JSON.stringify(mail(1)), contract.id)).toMatchObject({ status: 400, code: 155517 });
});
