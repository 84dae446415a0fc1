import type { WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import type { SignPayloadInput } from '../../src/flows/signPayload';
import { SIGNATURES } from '../../src/domain/signing';
import type { Flow } from '../kit/flow';
import { refused } from '../kit/refusal';
import { checkWallet } from './checkWallet';

/** Reads the wallet and checks what can be known before anybody is asked for a signature. */
export async function validateSigner(
  flow: Flow,
  { walletId, payload, deadline }: SignPayloadInput,
): Promise<WalletFacts> {
  const wallet = await flow.api.readWallet({ id: walletId });
  flow.note({ walletId: wallet.id });
  checkWallet(wallet, { deadline });
  if (wallet.userId !== undefined && SIGNATURES[payload.kind].user === undefined) {
    throw refused(
      CODES.operationUnsupportedOnBlockchain,
      `payload: wallets of users sign no ${payload.kind}`,
      'sign it with a developer wallet',
    );
  }
  // Its first transaction deploys it; the API refuses the signature too, but only when it is asked (155517).
  if (wallet.accountType === 'SCA' && !(await flow.api.hasSent(walletId))) {
    throw refused(
      CODES.scaNotDeployed,
      'the smart-contract wallet is not on the blockchain yet, so nobody could check its signature',
      'send a first transaction from the wallet, which deploys it; then sign with a new ref',
    );
  }
  return wallet;
}
