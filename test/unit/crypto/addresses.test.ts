import { base58 } from '@scure/base';
import fc from 'fast-check';
import { checkAddress, checksumAddress } from '../../../src/crypto/addresses';
import type { ChainFamily } from '../../../src/domain/chains';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SOL = 'So11111111111111111111111111111111111111112';

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));

const VALID: [ChainFamily, string][] = [
  ['evm', EVM],
  ['evm', EVM.toLowerCase()],
  ['evm', `0x${EVM.slice(2).toUpperCase()}`],
  ['evm', '0x0000000000000000000000000000000000000000'],
  ['solana', SOL],
  ['solana', SOL.toLowerCase()], // a different address, but a valid one
  ['solana', '11111111111111111111111111111111'],
  ['near', 'a'.repeat(64)],
  ['near', 'alice.near'],
  ['near', 'app_1.my-team.testnet'],
  ['near', 'ok'],
  ['aptos', '0x1'],
  ['aptos', `0x${'aB'.repeat(32)}`],
];

const INVALID: [ChainFamily, string, string][] = [
  ['evm', EVM.replace(/Aed$/, 'AeD'), 'has a wrong EIP-55 checksum'],
  ['evm', EVM.slice(0, -1), 'is not an EVM address'],
  ['evm', EVM.slice(2), 'is not an EVM address'],
  ['evm', EVM.replace('0x', '0X'), 'is not an EVM address'],
  ['evm', `${EVM}\n`, 'is not an EVM address'],
  ['evm', SOL, 'is not an EVM address'],
  ['solana', EVM, 'is not a Solana address'],
  ['solana', SOL.slice(0, -2), 'is not a Solana address'],
  ['solana', SOL.replace('S', '0'), 'is not a Solana address'],
  ['solana', '', 'is not a Solana address'],
  ['near', 'a', 'is not a NEAR account'],
  ['near', 'Alice.near', 'is not a NEAR account'],
  ['near', 'alice..near', 'is not a NEAR account'],
  ['near', '-alice.near', 'is not a NEAR account'],
  ['near', 'alice_.near', 'is not a NEAR account'],
  ['near', 'a'.repeat(65), 'is not a NEAR account'],
  ['aptos', '0x', 'is not an Aptos address'],
  ['aptos', '1', 'is not an Aptos address'],
  ['aptos', `0x${'a'.repeat(65)}`, 'is not an Aptos address'],
];

test.each(VALID)('%s accepts %s', (family, address) => expect(checkAddress(family, address)).toBeUndefined());

test.each(INVALID)('%s rejects %j', (family, address, message) => {
  expect(checkAddress(family, address)).toMatch(new RegExp(`^${message}`));
});

test('EVM: a checksum address is valid, and one letter in the wrong case is detected', () => {
  expect(checksumAddress(EVM.toLowerCase())).toBe(EVM);
  expect(() => checksumAddress(SOL)).toThrow('is invalid');
  fc.assert(
    fc.property(hex(40), fc.nat(39), (digits, at) => {
      const address = checksumAddress(`0x${digits}`);
      expect(address.toLowerCase()).toBe(`0x${digits}`);
      expect(checksumAddress(address)).toBe(address);
      expect(checkAddress('evm', address)).toBeUndefined();
      const old = address[at + 2]!;
      const flipped = old === old.toLowerCase() ? old.toUpperCase() : old.toLowerCase();
      const changed = address.slice(0, at + 2) + flipped + address.slice(at + 3);
      const body = changed.slice(2);
      fc.pre(flipped !== old && body !== body.toLowerCase() && body !== body.toUpperCase());
      expect(checkAddress('evm', changed)).toContain('checksum');
    }),
  );
});

test('Solana: an address is the base58 of exactly 32 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 28, maxLength: 36 }), (bytes) => {
      expect(checkAddress('solana', base58.encode(bytes)) === undefined).toBe(bytes.length === 32);
    }),
  );
});

test('error messages do not repeat the address', () => {
  for (const [family, address] of INVALID.filter(([, text]) => text.length > 8)) {
    expect(checkAddress(family, address)).not.toContain(address.slice(0, 9));
  }
});
