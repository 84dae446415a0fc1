import type { TokenFacts, WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import { toBaseUnits } from '../../src/domain/money';
import type { TransferInput } from '../../src/flows/transfer';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { checkWallet } from './checkWallet';

/** The wallet and token of a transfer that passed validation. */
export interface CheckedTransfer {
  wallet: WalletFacts;
  token: TokenFacts;
}

/**
 * Reads wallet and token and checks, before anything is sent, that the wallet is usable, that token and wallet are on
 * the same blockchain, that the amount fits the token's decimals, and that the destination is an address on that
 * blockchain.
 * @throws FlowOutcomeError
 */
export async function validateTransfer(flow: Flow, input: TransferInput): Promise<CheckedTransfer> {
  const { api } = flow;
  const [wallet, token] = await Promise.all([
    api.readWallet({ id: input.from.walletId }),
    api.readToken({ id: input.tokenId }),
  ]);
  flow.addResources({ walletId: wallet.id });
  checkWallet(wallet, input);
  if (token.blockchain !== wallet.blockchain) {
    throw failedOutcome({
      code: CODES.tokenBlockchainMismatch,
      reason: `tokenId: the token is on ${token.blockchain}, but the wallet is on ${wallet.blockchain}`,
      remedy: "use the id of the token on the wallet's blockchain",
    });
  }
  checkAmount(input.amount, token.decimals);
  const valid = await api.validateAddress({ address: input.to, blockchain: wallet.blockchain as never });
  if (!valid) {
    throw failedOutcome({
      code: CODES.destinationAddressInvalid,
      reason: `to: is not an address on ${wallet.blockchain}`,
      remedy: 'correct the destination address',
    });
  }
  return { wallet, token };
}

function checkAmount(amount: string, decimals: number | undefined): void {
  try {
    if (decimals === undefined || toBaseUnits(amount, decimals) > 0n) return;
  } catch (error) {
    throw failedOutcome({
      code: CODES.amountNotDecimal,
      reason: `amount: ${(error as Error).message}`,
      remedy: `give at most ${decimals} decimals`,
    });
  }
  throw failedOutcome({
    code: CODES.amountCountInvalid,
    reason: 'amount: is zero',
    remedy: 'give an amount above zero',
  });
}
