import type { Hex } from 'viem';

/** Interface ids (ERC-165) of the token standards. */
const INTERFACES = {
  ERC721: ['0x01ffc9a7', '0x80ac58cd', '0x5b5e139f'],
  ERC1155: ['0x01ffc9a7', '0xd9b67a26', '0x0e89341c'],
} as const;

export function supportsInterface(standard: keyof typeof INTERFACES, id: Hex): boolean {
  return INTERFACES[standard].some((known) => known === id.toLowerCase());
}
