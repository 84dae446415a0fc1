import { base58 } from '@scure/base';
import type { Hex } from 'viem';
import { hexToBytes, keccak256, stringToBytes } from 'viem/utils';
import { checkAddress } from '../../crypto/addresses';
import { findDomain } from '../../domain/cctp';

/** 32 zero bytes. As a recipient: none. As a destination caller: anyone may call. */
export const ZERO_BYTES32: Hex = `0x${'0'.repeat(64)}`;

/** The real addresses of the token messengers. The EVM address is the same on all EVM blockchains. */
const CONTRACTS = {
  evm: {
    live: '0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d',
    test: '0x8FE6B999Dc680CcFDD5Bf7EB0974218be2542DAA',
  },
  solana: {
    live: 'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdUMQe',
    test: 'CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdUMQe',
  },
} as const;

/** The real addresses of the message transmitters, the same on all EVM blockchains. */
const TRANSMITTERS = {
  live: '0x81D40F21F12A8F0E3252Bccb954D722d4c464B64',
  test: '0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275',
} as const;

/** The token messenger of a domain as 32 bytes. Every burn message has token messengers as sender and recipient. */
export function messengerOf(domain: number, kind: 'live' | 'test'): Hex {
  return toBytes32(domain, CONTRACTS[familyOf(domain)][kind]);
}

/** The addresses of the protocol's contracts on EVM mainnets (`live`) or testnets (`test`). */
export function evmContracts(kind: 'live' | 'test'): { messenger: Hex; transmitter: Hex } {
  return { messenger: CONTRACTS.evm[kind], transmitter: TRANSMITTERS[kind] };
}

/** Returns the problem with an address of a domain; undefined if the address is valid. */
export function checkDomainAddress(domain: number, address: string): string | undefined {
  return checkAddress(familyOf(domain), address);
}

/** An address as 32 bytes, as in messages. EVM addresses are left-padded with zeros. */
export function toBytes32(domain: number, address: string): Hex {
  const hex =
    familyOf(domain) === 'solana'
      ? Buffer.from(base58.decode(address)).toString('hex')
      : address.slice('0x'.length).toLowerCase();
  return `0x${hex.padStart(64, '0')}`;
}

/** An address in the notation of the domain's blockchain; EVM addresses in lower case. */
export function fromBytes32(domain: number, bytes: Hex): string {
  return familyOf(domain) === 'solana' ? base58.encode(hexToBytes(bytes)) : `0x${bytes.slice(-40)}`;
}

/** A stable USDC address for a domain on whose blockchain the API has no wallets. */
export function placeholderToken(domain: number): string {
  return `0x${keccak256(stringToBytes(`USDC of domain ${domain}`)).slice(-40)}`;
}

function familyOf(domain: number): 'evm' | 'solana' {
  return findDomain(domain)?.family ?? 'evm';
}
