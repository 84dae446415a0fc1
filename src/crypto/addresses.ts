import { base58 } from '@scure/base';
import type { ChainFamily } from '../domain/chains';

const EVM_PATTERN = /^0x[0-9a-fA-F]{40}$/;
const APTOS_PATTERN = /^0x[0-9a-fA-F]{1,64}$/;
/** Implicit accounts (64 lower-case hex digits) match as well. Rules: NEAR protocol, account ids. */
const NEAR_PATTERN = /^(?=.{2,64}$)[a-z\d]+([-_.][a-z\d]+)*$/;
const SOLANA_BYTES = 32;

/** The rules of each family: the problem and its remedy, or undefined. No text repeats the address. */
const CHECKS: Record<ChainFamily, (address: string) => string | undefined> = {
  evm(address) {
    if (!EVM_PATTERN.test(address)) return 'is not an EVM address: 0x and 40 hexadecimal digits are needed';
    if (isOneCase(address) || checksumAddress(address) === address) return undefined;
    return 'has a wrong EIP-55 checksum: a character or its case was changed; copy the address again from its source';
  },
  solana: (address) =>
    base58Length(address) === SOLANA_BYTES
      ? undefined
      : 'is not a Solana address: 32 bytes in base58 are needed (32 to 44 characters, case matters)',
  near: (address) =>
    NEAR_PATTERN.test(address)
      ? undefined
      : 'is not a NEAR account: 64 lower-case hexadecimal digits are needed, or a name of 2 to 64 characters from a-z 0-9 ' +
        'with single . - _ between them',
  aptos: (address) =>
    APTOS_PATTERN.test(address) ? undefined : 'is not an Aptos address: 0x and 1 to 64 hexadecimal digits are needed',
};

/** What is wrong with an address and how to mend it, to be put behind the field's name; undefined when it is fine. */
export function checkAddress(family: ChainFamily, address: string): string | undefined {
  return CHECKS[family](address);
}

/**
 * An EVM address in its EIP-55 spelling.
 * @throws InvalidAddressError of viem when it is not 0x and 40 hexadecimal digits
 */
export function checksumAddress(address: string): string {
  return viemUtils().getAddress(address);
}

/** All lower or all upper case carries no checksum (EIP-55). */
function isOneCase(address: string): boolean {
  const digits = address.slice('0x'.length);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase();
}

function base58Length(text: string): number | undefined {
  try {
    return base58.decode(text).length;
  } catch {
    return undefined;
  }
}

/** Loaded at the first address that needs it: 150 ms and 16 MB, which most processes never use. */
function viemUtils(): typeof import('viem/utils') {
  return require('viem/utils') as typeof import('viem/utils');
}
