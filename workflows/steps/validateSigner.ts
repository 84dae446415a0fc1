import type { WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import { SIGNATURES } from '../../src/domain/signing';
import type { SignPayloadInput } from '../../src/flows/signPayload';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { checkWallet } from './checkWallet';

/**
 * Reads the wallet and checks whether it can sign the payload, before anyone is asked to sign.
 * @throws FlowOutcomeError
 */
export async function validateSigner(
  flow: Flow,
  { walletId, payload, deadline }: SignPayloadInput,
): Promise<WalletFacts> {
  const wallet = await flow.api.readWallet({ id: walletId });
  flow.addResources({ walletId: wallet.id });
  checkWallet(wallet, { deadline });
  if (wallet.userId !== undefined && SIGNATURES[payload.kind].user === undefined) {
    throw failedOutcome({
      code: CODES.operationUnsupportedOnBlockchain,
      reason: `payload: a user's wallet cannot sign ${payload.kind}`,
      remedy: 'sign it with a developer wallet',
    });
  }
  // The first transaction deploys the wallet. The API would refuse the signature as well (155517), but only after an
  // approval.
  if (wallet.accountType === 'SCA' && !(await flow.api.hasSent(walletId))) {
    throw failedOutcome({
      code: CODES.scaNotDeployed,
      reason: 'the smart-contract wallet is not deployed yet, so its signature could not be verified',
      remedy: 'send a first transaction from the wallet, which deploys it; then sign with a new ref',
    });
  }
  return wallet;
}
