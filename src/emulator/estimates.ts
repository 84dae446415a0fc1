import { isEip1559 } from './chains/eip1559';
import { GAS, feesOf } from './chains/fees';
import { requireReachable } from './checks/call';
import { ON_ESTIMATE, requireFunds } from './checks/funds';
import type { Source } from './checks/source';
import type { Movement } from './ledger';
import type { World } from './world';

/** Fees at three levels. @throws Refusal 155204, 155205, 155206, 155210 */
export function estimate(world: World, source: Source, movements: readonly Movement[], gas: bigint) {
  const { blockchain, sca } = source;
  requireReachable(world, blockchain);
  const total = sca ? gas + GAS.verification + GAS.preVerification : gas;
  const { LOW, MEDIUM, HIGH } = feesOf(blockchain, total, isEip1559(world, blockchain));
  requireFunds(world, source, movements, LOW, ON_ESTIMATE);
  const userOperation = {
    callGasLimit: gas.toString(),
    verificationGasLimit: GAS.verification.toString(),
    preVerificationGas: GAS.preVerification.toString(),
  };
  const levels = { low: LOW.shown, medium: MEDIUM.shown, high: HIGH.shown };
  return { body: { data: sca ? { ...levels, ...userOperation } : levels } };
}
