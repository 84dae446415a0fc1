/** Wallets that a challenge created, as they were requested: one on each blockchain. */
export interface RequestedWallets {
  userId: string;
  blockchains: readonly string[];
  accountType: string;
  /** In the order of the blockchains. */
  metadata?: readonly { name?: string; refId?: string }[];
}

/** What a wallet shows of its request. */
export interface ShownWallet {
  blockchain: string;
  accountType?: string;
  userId?: string;
  name?: string;
  refId?: string;
}

/**
 * What differs between wallets and their request: `count`, or fields of a wallet. A field that the API does not show is not
 * compared, and neither is a name or `refId` that was not requested.
 */
export function walletDifferences(wallets: readonly ShownWallet[], requested: RequestedWallets): string[] {
  const { blockchains, accountType, userId, metadata } = requested;
  if (wallets.length !== blockchains.length) return ['count'];
  const different = new Set<string>();
  blockchains.forEach((blockchain, index) => {
    const wallet = wallets.find((each) => each.blockchain === blockchain);
    if (!wallet) return void different.add('blockchain');
    const expected = { accountType, userId, ...metadata?.[index] };
    for (const [field, value] of Object.entries(expected)) {
      const shown = wallet[field as keyof typeof expected];
      if (shown !== undefined && value !== undefined && shown !== value) different.add(field);
    }
  });
  return [...different];
}
