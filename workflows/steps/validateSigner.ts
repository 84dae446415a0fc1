import type { WalletFacts } from '../../activities';
import { CODES } from '../../src/domain/codes';
import { SIGNATURES } from '../../src/domain/signing';
import type { SignPayloadInput } from '../../src/flows/signPayload';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { SessionClient } from '../kit/sessionClient';
import { checkWallet } from './checkWallet';
import { askAboutDeployment, mayDeployFor, NOT_DEPLOYED } from './deployWallet';
import type { Approver } from './sendTransaction';

/** A wallet that can sign the payload. */
export interface SigningWallet {
  wallet: WalletFacts;
  /** Absent for a developer wallet. */
  approver?: Approver;
  /** Whether the flow has to deploy it first. */
  mustDeploy: boolean;
}

/**
 * Reads the wallet and checks whether it can sign the payload, before anyone is asked to sign.
 * @param deadlineAt of the user's approvals, in epoch milliseconds
 * @throws FlowOutcomeError
 */
export async function validateSigner(
  flow: Flow,
  { walletId, payload, deadline }: SignPayloadInput,
  deadlineAt: number | undefined,
): Promise<SigningWallet> {
  const wallet = await flow.api.readWallet({ id: walletId });
  flow.addResources({ walletId: wallet.id });
  checkWallet(wallet, { deadline });
  const { userId, accountType } = wallet;
  if (userId !== undefined && SIGNATURES[payload.kind].user === undefined) {
    throw failedOutcome({
      code: CODES.operationUnsupportedOnBlockchain,
      reason: `payload: a user's wallet cannot sign ${payload.kind}`,
      remedy: 'sign it with a developer wallet',
    });
  }
  const approver =
    userId === undefined ? undefined : { session: new SessionClient(flow, { method: 'pin', userId }), deadlineAt };
  const signer = { wallet, ...(approver && { approver }) };
  // The API would refuse the signature as well (155517), but of a user only after an approval. If the first transaction is
  // not in a block yet, only the API knows.
  const isUndeployed = accountType === 'SCA' && (await flow.api.readDeployment(walletId)) === 'none';
  if (!isUndeployed) return { ...signer, mustDeploy: false };
  if (!mayDeployFor(payload.kind)) throw failedOutcome(NOT_DEPLOYED);
  return { ...signer, mustDeploy: (await askAboutDeployment(flow, approver, true)) === 'deploy' };
}
