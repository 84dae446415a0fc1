/**
 * The ids of the NFTs that a transaction moves. The API shows each as a JSON string (docs/api-behavior.md#transactions).
 * @returns undefined if it shows none, or in a form that is not known
 */
export function readNftTokenIds(nfts: readonly unknown[] | null | undefined): string[] | undefined {
  if (!nfts || nfts.length === 0) return undefined;
  const ids = nfts.map(readId);
  return ids.includes(undefined) ? undefined : (ids as string[]);
}

function readId(nft: unknown): string | undefined {
  if (typeof nft !== 'string') return undefined;
  try {
    const { nftTokenId } = (JSON.parse(nft) ?? {}) as { nftTokenId?: unknown };
    return typeof nftTokenId === 'string' ? nftTokenId : undefined;
  } catch {
    return undefined;
  }
}

/** A number in one notation, so that `0x0b`, `011` and `11` are the same id. Any other text stays as it is. */
export function canonicalNftId(id: string): string {
  return /^(?:0x[0-9a-f]+|\d+)$/i.test(id) ? String(BigInt(id)) : id;
}
