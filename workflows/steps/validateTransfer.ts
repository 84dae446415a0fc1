import type { TokenFacts, WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import type { TransferInput } from '../../src/flows/transfer';
import { toBaseUnits } from '../../src/domain/money';
import type { Flow } from '../kit/flow';
import { refused } from '../kit/refusal';
import { checkWallet } from './checkWallet';

/** A transfer whose parts are known to fit each other. */
export interface CheckedTransfer {
  wallet: WalletFacts;
  token: TokenFacts;
}

/**
 * Reads wallet and token and checks what can be known before anything is sent: that the wallet may send, that token and
 * wallet are of one blockchain, that the amount fits the token's decimals, that the destination is an address there.
 */
export async function validateTransfer(flow: Flow, input: TransferInput): Promise<CheckedTransfer> {
  const { api } = flow;
  const [wallet, token] = await Promise.all([
    api.readWallet({ id: input.from.walletId }),
    api.readToken({ id: input.tokenId }),
  ]);
  flow.note({ walletId: wallet.id });
  checkWallet(wallet, input);
  if (token.blockchain !== wallet.blockchain) {
    throw refused(
      CODES.tokenBlockchainMismatch,
      `tokenId: the token is on ${token.blockchain}, the wallet on ${wallet.blockchain}`,
      "name the token's id on the wallet's blockchain",
    );
  }
  checkAmount(input.amount, token.decimals);
  const valid = await api.validateAddress({ address: input.to, blockchain: wallet.blockchain as never });
  if (!valid) {
    throw refused(
      CODES.destinationAddressInvalid,
      `to: is not an address of ${wallet.blockchain}`,
      'correct the destination address',
    );
  }
  return { wallet, token };
}

function checkAmount(amount: string, decimals: number | undefined): void {
  try {
    if (decimals === undefined || toBaseUnits(amount, decimals) > 0n) return;
  } catch (error) {
    throw refused(CODES.amountNotDecimal, `amount: ${(error as Error).message}`, `give at most ${decimals} decimals`);
  }
  throw refused(CODES.amountCountInvalid, 'amount: is zero', 'give an amount above zero');
}
