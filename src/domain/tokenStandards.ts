/**
 * Whether tokens of a standard are named by an id. What the API wants for the NFTs of Solana is not published, so it is left
 * to the API.
 */
export function isNft(standard: string | undefined): boolean {
  return standard === 'ERC721' || standard === 'ERC1155';
}

/** Whether tokens of a standard have no id. Neither this nor `isNft` is known of a standard that is new, or not shown. */
export function isFungible(standard: string | undefined): boolean {
  return standard === 'ERC20' || standard === 'Fungible' || standard === 'FungibleAsset';
}

/** Whether one transfer can move several ids, and more than one of each (docs/api-behavior.md#transactions). */
export function movesSeveral(standard: string | undefined): boolean {
  return standard === 'ERC1155';
}
