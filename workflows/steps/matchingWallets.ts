import type { WalletFacts } from '../../activities';
import type { UserWalletsInput } from '../../src/flows/userWallets';

type Wallet = Pick<WalletFacts, 'blockchain' | 'accountType'>;

/** The existing wallets that a request asks for, in the order of its blockchains. */
export function matchingWallets<W extends Wallet>(wallets: readonly W[], request: UserWalletsInput): W[] {
  return request.blockchains.flatMap((blockchain) => walletOn(wallets, request, blockchain) ?? []);
}

/** The part of a request that the existing wallets do not cover. */
export function missingWallets(request: UserWalletsInput, wallets: readonly WalletFacts[]): UserWalletsInput {
  const missing = (index: number) => !walletOn(wallets, request, request.blockchains[index]!);
  return {
    ...request,
    blockchains: request.blockchains.filter((_, index) => missing(index)),
    ...(request.metadata && { metadata: request.metadata.filter((_, index) => missing(index)) }),
  };
}

function walletOn<W extends Wallet>(
  wallets: readonly W[],
  { accountType }: UserWalletsInput,
  blockchain: string,
): W | undefined {
  return wallets.find((wallet) => wallet.blockchain === blockchain && wallet.accountType === accountType);
}
