import type { WalletFacts } from '../../activities';
import type { ContractCall } from '../../src/domain/sentTransaction';
import type { ExecuteContractInput } from '../../src/flows/executeContract';
import type { Flow } from '../kit/flow';
import { SUBMIT, type TransactionRequest } from './transactionRequest';

/**
 * The only place where the input of a contract call becomes a request, so that estimate, request and lookup cannot differ.
 * @param step of the effect
 */
export function callRequest(
  flow: Flow,
  {
    from: _from,
    deadline: _deadline,
    fee = { feeLevel: flow.policy.transfer.feeLevel },
    ...fields
  }: ExecuteContractInput,
  wallet: WalletFacts,
  step: string = SUBMIT,
): TransactionRequest {
  const call: ContractCall = { walletId: wallet.id, ...fields };
  const { callData: _, ...shown } = call;
  const body = { ...call, ...fee };
  return {
    wallet,
    fee,
    expected: { ...shown, blockchain: wallet.blockchain, effect: flow.effectName(step) },
    estimate: (levels) => flow.api.estimateContractExecutionFee(call, levels),
    send: (effect) => flow.api.createContractExecution(effect, body),
    challenge: { call: 'createUserContractExecution', body },
  };
}
