import type { WalletFacts } from '../../activities';
import { CONTRACT_BLOCKCHAINS, findChain } from '../../src/domain/chains';
import { CODES } from '../../src/domain/codes';
import { countDecimals } from '../../src/domain/money';
import type { ExecuteContractInput } from '../../src/flows/executeContract';
import { localActivities } from '../kit/activities';
import { failedOutcome } from '../kit/failure';
import type { Flow } from '../kit/flow';
import { checkWallet } from './checkWallet';
import { readSource } from './readSource';

/**
 * Reads the wallet and checks, before anything is sent, that it is usable, that its blockchain has contracts, and that the
 * call can be encoded. Shows what the call does.
 * @throws FlowOutcomeError
 */
export async function validateCall(flow: Flow, input: ExecuteContractInput): Promise<WalletFacts> {
  const wallet = await readSource(flow, input.from);
  flow.addResources({ walletId: wallet.id });
  checkWallet(wallet, input);
  const { blockchain } = wallet;
  if (!(CONTRACT_BLOCKCHAINS as readonly string[]).includes(blockchain)) {
    throw failedOutcome({
      code: CODES.operationUnsupportedOnBlockchain,
      reason: `from: the wallet is on ${blockchain}, where the API calls no contracts`,
      remedy: 'use a wallet on an EVM blockchain such as ETH or BASE',
    });
  }
  checkAmount(blockchain, input.amount);
  const { contractAddress, abiFunctionSignature, abiParameters, callData, amount } = input;
  const call = { contractAddress, abiFunctionSignature, abiParameters, callData, amount };
  const { decoded, problem } = await localActivities.decodeCall(blockchain, call);
  if (problem) throw failedOutcome(problem);
  flow.showCall(decoded);
  return wallet;
}

function checkAmount(blockchain: string, amount: string | undefined): void {
  const decimals = findChain(blockchain)?.native?.decimals;
  if (amount === undefined || decimals === undefined || countDecimals(amount) <= decimals) return;
  throw failedOutcome({
    code: CODES.executionAmountInvalid,
    reason: `amount: has ${countDecimals(amount)} decimals, but the native token has ${decimals}`,
    remedy: `give at most ${decimals} decimals`,
  });
}
