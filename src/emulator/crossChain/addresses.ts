import { base58 } from '@scure/base';
import type { Hex } from 'viem';
import { hexToBytes, keccak256, stringToBytes } from 'viem/utils';
import { checkAddress } from '../../crypto/addresses';
import { findDomain } from '../../domain/cctp';

/** 32 zero bytes: nobody, or anybody. */
export const NOBODY: Hex = `0x${'0'.repeat(64)}`;

/** Where the protocol's contracts really are; EVM addresses are the same on all its blockchains. */
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

/** Where messages are received, on all EVM blockchains. */
const TRANSMITTERS = {
  live: '0x81D40F21F12A8F0E3252Bccb954D722d4c464B64',
  test: '0xE737e5cEBEEBa77EFE34D4aa090756590b1CE275',
} as const;

/** The token messenger of a domain, in 32 bytes: sender and recipient of every message of a burn. */
export function messengerOf(domain: number, kind: 'live' | 'test'): Hex {
  return toBytes32(domain, CONTRACTS[familyOf(domain)][kind]);
}

/** Where the protocol's contracts are on the EVM blockchains of a kind. */
export function evmContracts(kind: 'live' | 'test'): { messenger: Hex; transmitter: Hex } {
  return { messenger: CONTRACTS.evm[kind], transmitter: TRANSMITTERS[kind] };
}

/** What is wrong with an address of a domain; undefined when it is fine. */
export function checkDomainAddress(domain: number, address: string): string | undefined {
  return checkAddress(familyOf(domain), address);
}

/** An address as messages hold it: 32 bytes, EVM ones with zeros before them. */
export function toBytes32(domain: number, address: string): Hex {
  const hex =
    familyOf(domain) === 'solana'
      ? Buffer.from(base58.decode(address)).toString('hex')
      : address.slice('0x'.length).toLowerCase();
  return `0x${hex.padStart(64, '0')}`;
}

/** As the domain's blockchain writes it; EVM in lower case. */
export function fromBytes32(domain: number, bytes: Hex): string {
  return familyOf(domain) === 'solana' ? base58.encode(hexToBytes(bytes)) : `0x${bytes.slice(-40)}`;
}

/** USDC where wallets don't exist: an address that never changes. */
export function strangeToken(domain: number): string {
  return `0x${keccak256(stringToBytes(`USDC of domain ${domain}`)).slice(-40)}`;
}

function familyOf(domain: number): 'evm' | 'solana' {
  return findDomain(domain)?.family ?? 'evm';
}
