import { feesOf, GAS } from '../chains/fees';
import type { Movement } from '../ledger/ledger';
import { isEip1559 } from '../transactions/eip1559';
import type { Sender } from '../wallets/sender';
import type { World } from '../world/world';
import { requireReachable } from './call';
import { ON_ESTIMATE, requireFunds } from './funds';

/** Estimates the fee at three levels. @throws ApiErrorResponse 155204, 155205, 155206, 155210 */
export function estimate(world: World, sender: Sender, movements: readonly Movement[], gas: bigint) {
  const { blockchain, sca } = sender;
  requireReachable(world, blockchain);
  const total = sca ? gas + GAS.verification + GAS.preVerification : gas;
  const { LOW, MEDIUM, HIGH } = feesOf(blockchain, total, isEip1559(world, blockchain));
  requireFunds(world, sender, movements, LOW, ON_ESTIMATE);
  const userOperation = {
    callGasLimit: gas.toString(),
    verificationGasLimit: GAS.verification.toString(),
    preVerificationGas: GAS.preVerification.toString(),
  };
  const levels = { low: LOW.resource, medium: MEDIUM.resource, high: HIGH.resource };
  return { body: { data: sca ? { ...levels, ...userOperation } : levels } };
}
