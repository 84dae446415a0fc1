import { base58 } from '@scure/base';
import type { ChainFamily } from '../domain/chains';

const EVM_PATTERN = /^0x[0-9a-fA-F]{40}$/;
const APTOS_PATTERN = /^0x[0-9a-fA-F]{1,64}$/;
/** Also matches implicit accounts (64 lower-case hex digits). The rules are those of NEAR account ids. */
const NEAR_PATTERN = /^(?=.{2,64}$)[a-z\d]+([-_.][a-z\d]+)*$/;
const SOLANA_BYTES = 32;

/** The rules of each family: the problem with its remedy, or undefined. No message contains the address. */
const CHECKS: Record<ChainFamily, (address: string) => string | undefined> = {
  evm(address) {
    if (!EVM_PATTERN.test(address)) return 'is not an EVM address: it must be 0x and 40 hexadecimal digits';
    if (isSingleCase(address) || checksumAddress(address) === address) return undefined;
    return 'has a wrong EIP-55 checksum: a character or its case has changed; copy the address again from its source';
  },
  solana: (address) =>
    base58Length(address) === SOLANA_BYTES
      ? undefined
      : 'is not a Solana address: it must be 32 bytes in base58 (32 to 44 characters, case matters)',
  near: (address) =>
    NEAR_PATTERN.test(address)
      ? undefined
      : 'is not a NEAR account: it must be 64 lower-case hexadecimal digits, or a name of 2 to 64 characters from a-z 0-9 ' +
        'with single . - _ between them',
  aptos: (address) =>
    APTOS_PATTERN.test(address) ? undefined : 'is not an Aptos address: it must be 0x and 1 to 64 hexadecimal digits',
};

/** The problem of an address with its remedy, to be shown after the field's name; undefined if it is valid. */
export function checkAddress(family: ChainFamily, address: string): string | undefined {
  return CHECKS[family](address);
}

/**
 * An EVM address in its EIP-55 form.
 * @throws InvalidAddressError of viem if it is not 0x and 40 hexadecimal digits
 */
export function checksumAddress(address: string): string {
  return viemUtils().getAddress(address);
}

/** An address in all lower or all upper case has no checksum (EIP-55). */
function isSingleCase(address: string): boolean {
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

/** Loaded for the first address that needs it: it takes 150 ms and 16 MB, and most processes never need it. */
function viemUtils(): typeof import('viem/utils') {
  return require('viem/utils') as typeof import('viem/utils');
}
