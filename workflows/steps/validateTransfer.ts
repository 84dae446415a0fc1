import type { TokenFacts, WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import { compareDecimals, toBaseUnits } from '../../src/domain/money';
import { isFungible, isNft, movesSeveral } from '../../src/domain/tokenStandards';
import type { TransferInput } from '../../src/flows/transfer';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { checkWallet } from './checkWallet';
import { readSource } from './readSource';

/** The wallet and token of a transfer that passed validation. */
export interface CheckedTransfer {
  wallet: WalletFacts;
  token: TokenFacts;
}

/**
 * Reads wallet and token and checks, before anything is sent, that the wallet is usable, that token and wallet are on
 * the same blockchain, that the amount or the NFTs fit the token, and that the destination is an address on that
 * blockchain.
 * @throws FlowOutcomeError
 */
export async function validateTransfer(flow: Flow, input: TransferInput): Promise<CheckedTransfer> {
  const { api } = flow;
  const [wallet, token] = await Promise.all([readSource(flow, input.from), api.readToken({ id: input.tokenId })]);
  flow.addResources({ walletId: wallet.id });
  checkWallet(wallet, input);
  if (token.blockchain !== wallet.blockchain) {
    throw failedOutcome({
      code: CODES.tokenBlockchainMismatch,
      reason: `tokenId: the token is on ${token.blockchain}, but the wallet is on ${wallet.blockchain}`,
      remedy: "use the id of the token on the wallet's blockchain",
    });
  }
  if (input.nfts) checkNfts(input.nfts, token);
  else checkAmount(input.amount!, token);
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

function checkAmount(amount: string, token: TokenFacts): void {
  const { standard } = token;
  if (isNft(standard)) {
    throw failedOutcome({
      code: CODES.tokenIdMissing,
      reason: `amount: the token is an NFT contract (${standard}), which are named by their ids`,
      remedy: 'give `nfts` with the ids instead of `amount`',
    });
  }
  checkDecimals('amount', amount, token);
}

function checkDecimals(field: string, amount: string, { decimals }: TokenFacts): void {
  try {
    if (decimals === undefined || toBaseUnits(amount, decimals) > 0n) return;
  } catch (error) {
    throw failedOutcome({
      code: CODES.amountNotDecimal,
      reason: `${field}: ${(error as Error).message}`,
      remedy: `give at most ${decimals} decimals`,
    });
  }
  throw failedOutcome({
    code: CODES.amountCountInvalid,
    reason: `${field}: is zero`,
    remedy: 'give an amount above zero',
  });
}

type SentNft = NonNullable<TransferInput['nfts']>[number];

/** A standard that the API does not show, or that is new, is left to the API. */
function checkNfts(nfts: readonly SentNft[], token: TokenFacts): void {
  const { standard, isNative } = token;
  if (isNative || isFungible(standard)) {
    throw failedOutcome({
      code: CODES.nftCountInvalid,
      reason: 'nfts: the token is not an NFT contract',
      remedy: 'give `amount` instead of `nfts`, or the id of another token',
    });
  }
  for (const { id, amount } of nfts) if (amount !== undefined) checkDecimals(`nfts ${id}`, amount, token);
  if (!isNft(standard) || movesSeveral(standard)) return;
  if (nfts.length > 1) {
    throw failedOutcome({
      code: CODES.nftCountInvalid,
      reason: `nfts: only an ERC-1155 contract sends several NFTs at once, and this one is ${standard}`,
      remedy: 'send each NFT with its own transfer',
    });
  }
  const amount = nfts[0]!.amount ?? '1';
  if (compareDecimals(amount, '1') === 0) return;
  throw failedOutcome({
    code: CODES.amountCountInvalid,
    reason: `nfts: there is only one of each NFT of this contract (${standard}), and the amount is ${amount}`,
    remedy: 'leave the amount out',
  });
}
