import { USDC_DECIMALS } from '../../domain/cctp';
import type { Blockchain } from '../../domain/chains';
import { newTxHash } from '../chains/blocks';
import type { Effect } from '../landings';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf } from '../ledger';
import { fixedAddress, fixedId } from '../tokensCatalogue';
import { nativeToken } from '../tokens';
import { receive } from '../transactionMachine';
import type { World } from '../world';
import { fromBytes32 } from './addresses';
import type { BurnMessage } from './message';
import { checkMessage, useMessage, type MintCall } from './receiveMessage';
import { blockchainOf } from './routes';

export type MintResult =
  | { state: 'minted'; txHash: string; amount: string; feeExecuted: string; mintRecipient: string }
  | { state: 'reverted'; reason: string };

/**
 * Somebody carries a message out where it was sent to, once: the recipient gets the amount less the fee, at the pace of
 * its blockchain. Whatever is wrong reverts, with the contracts' own reasons, and changes nothing.
 * @param onReorg the block of the mint was replaced, and the message can be minted again
 */
export function mint(world: World, call: MintCall, onReorg?: () => void): MintResult {
  const checked = checkMessage(world, call);
  if ('reason' in checked) return { state: 'reverted', reason: checked.reason };
  const { message } = checked;
  const blockchain = blockchainOf(world, message.destinationDomain);
  const txHash = newTxHash(world, blockchain ?? 'ETH');
  const effects = [useMessage(world, message, txHash)];
  if (onReorg) effects.push({ isUsed: () => false, undo: onReorg });
  if (blockchain) arrive(world, { blockchain, txHash, message, effects });
  return {
    state: 'minted',
    txHash,
    amount: String(message.amount - message.feeExecuted),
    feeExecuted: String(message.feeExecuted),
    mintRecipient: fromBytes32(message.destinationDomain, message.mintRecipient),
  };
}

interface Mint {
  blockchain: Blockchain;
  txHash: string;
  message: BurnMessage;
  effects: Effect[];
}

function arrive(world: World, { blockchain, txHash, message, effects }: Mint): void {
  const recipient = fromBytes32(message.destinationDomain, message.mintRecipient);
  const { store } = world;
  // On ARC USDC is the native token, of other decimals.
  const { id, decimals = USDC_DECIMALS } =
    store.tokens.get(fixedId(blockchain, 'USDC')) ?? nativeToken(store, blockchain);
  const units = (message.amount - message.feeExecuted) * 10n ** BigInt(decimals - USDC_DECIMALS);
  const arrival = {
    movements: [
      {
        from: OUTSIDE_ACCOUNTS.outside,
        to: accountOf(blockchain, recipient),
        asset: assetOf(id),
        units,
      },
    ],
    sourceAddress: fixedAddress(blockchain, 'token minter'),
    destinationAddress: recipient,
  };
  receive(world, blockchain, arrival, { txHash, effects });
}
