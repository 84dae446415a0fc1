import { TypedDataEncoder } from 'ethers';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER } from '../chain/support';
import { signerOf } from './recovery';

afterAll(closeOwnEmulator);

const CHAIN_ID = 11_155_111;
const EIP712_DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
];

/** A mail to a number of people, so that structs, arrays and integers are all in it. */
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

let chain: Chain;
let wallet: { id: string; address: string };
beforeAll(async () => {
  chain = await Chain.open();
  wallet = await chain.wallet();
});

const send = (data: string, walletId = wallet.id) => chain.effect('/developer/sign/typedData', { walletId, data });
const sign = (data: object) => send(JSON.stringify(data));

/** Field case SB-05: `v` of 0 or 1 made contracts refuse the signature. */
test('twenty signatures end with 27 or 28 and recover to the wallet', async () => {
  const ends = new Set<string>();
  for (let number = 1; number <= 20; number++) {
    const data = mail(number);
    const { status, data: answer } = await sign(data);
    expect(status).toBe(200);
    const { EIP712Domain: _, ...types } = data.types;
    const hash = TypedDataEncoder.hash(data.domain, types, data.message);
    expect(signerOf(hash, answer.signature)).toBe(wallet.address);
    ends.add(answer.signature.slice(-2));
  }
  expect([...ends].toSorted()).toEqual(['1b', '1c']);
});

test('the example of EIP-712 has the hash that it gives', async () => {
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

test('the domain type may be left to the fields of the domain', async () => {
  const { EIP712Domain: _, ...types } = mail(2).types;
  const data = { ...mail(2), types };
  expect((await sign(data)).data.signature).toBe((await sign(mail(2))).data.signature);
});

test('refusals, each by its code', async () => {
  const { types, domain, message, primaryType } = mail(1);
  const refused: Record<string, [data: object | string, code: number]> = {
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
  for (const [what, [data, code]] of Object.entries(refused)) {
    const answer = await send(typeof data === 'string' ? data : JSON.stringify(data));
    expect({ what, answer }).toMatchObject({ what, answer: { status: 400, code } });
  }
  const solana = await chain.wallet('SOL-DEVNET');
  expect(await send(JSON.stringify(mail(1)), solana.id)).toMatchObject({ status: 400, code: 155510 });
  const contract = await chain.wallet('ETH-SEPOLIA', 'SCA');
  expect(await send(JSON.stringify(mail(1)), contract.id)).toMatchObject({ status: 400, code: 155517 });
});
