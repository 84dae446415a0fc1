import type { SignPayloadInput, SignPayloadResult } from '../../src/flows/signPayload';
import type { Flow } from '../kit/flow';
import { askAboutDeployment, deployWallet, isUndeployedRefusal, mayDeployFor } from './deployWallet';
import { type Signed, SigningReport } from './signingReport';
import type { SigningWallet } from './validateSigner';

/**
 * Signs. If the wallet is not deployed, the policy or a person decides whether the flow deploys it first
 * (docs/architecture.md#a-signature-of-a-smart-contract-wallet).
 * @throws FlowOutcomeError
 */
export function signOnceDeployed(
  flow: Flow,
  { walletId, payload: { kind } }: SignPayloadInput,
  { wallet, approver, mustDeploy }: SigningWallet,
  sign: () => Promise<Signed>,
): Promise<SignPayloadResult> {
  const report = new SigningReport(flow, { walletId, kind });
  // A second deployment would be the same effect.
  let mayDeploy = mayDeployFor(kind);
  /** @returns undefined if the wallet has to be deployed first */
  const trySigning = async (): Promise<Signed | undefined> => {
    for (;;) {
      try {
        return await sign();
      } catch (error) {
        if (!mayDeployFor(kind) || !isUndeployedRefusal(error)) throw error;
        if ((await askAboutDeployment(flow, approver, mayDeploy)) === 'deploy') return undefined;
      }
    }
  };
  return report.run(async () => {
    for (let deploys = mustDeploy; ; deploys = true) {
      if (deploys) {
        mayDeploy = false;
        report.addDeployment(await deployWallet(flow, wallet, approver));
      }
      const signed = await flow.step('sign', trySigning);
      if (signed) return signed;
    }
  });
}
