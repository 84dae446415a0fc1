import type { Blockchain } from '../../domain/chains';
import { newTxHash } from '../chains/blocks';
import { fromBytes32 } from '../crossChain/addresses';
import type { BurnMessage } from '../crossChain/message';
import { checkMessage, markMinted, type MintCall } from '../crossChain/receiveMessage';
import { blockchainOf } from '../crossChain/routes';
import type { SideEffect } from '../ledger/effectLog';
import { accountOf, EXTERNAL_ACCOUNTS } from '../ledger/ledger';
import { fixedAddress, fixedId } from '../ledger/tokenCatalog';
import { ledgerUnitsOf, tokenById } from '../ledger/tokens';
import { receiveTransfer } from '../transactions/transactionMachine';
import type { World } from '../world/world';

export type MintResult =
  | { state: 'minted'; txHash: string; amount: string; feeExecuted: string; mintRecipient: string }
  | { state: 'reverted'; reason: string };

/**
 * Mints a message on its destination blockchain, once. The recipient receives the amount minus the fee, after the
 * blockchain's usual confirmation time. An invalid call is reverted with the contracts' own reason and changes nothing.
 * @param onReorg called if the block of the mint is replaced; then the message can be minted again
 */
export function mint(world: World, call: MintCall, onReorg?: () => void): MintResult {
  const checked = checkMessage(world, call);
  if ('reason' in checked) return { state: 'reverted', reason: checked.reason };
  const { message } = checked;
  const blockchain = blockchainOf(world, message.destinationDomain);
  const txHash = newTxHash(world, blockchain ?? 'ETH');
  const effects = [markMinted(world, message, txHash)];
  if (onReorg) effects.push({ isUsed: () => false, undo: onReorg });
  if (blockchain) creditRecipient(world, { blockchain, txHash, message, effects });
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
  effects: SideEffect[];
}

function creditRecipient(world: World, { blockchain, txHash, message, effects }: Mint): void {
  const recipient = fromBytes32(message.destinationDomain, message.mintRecipient);
  const { store } = world;
  const { asset, scale } = ledgerUnitsOf(store, tokenById(store, fixedId(blockchain, 'USDC')));
  const arrival = {
    movements: [
      {
        from: EXTERNAL_ACCOUNTS.external,
        to: accountOf(blockchain, recipient),
        asset,
        units: (message.amount - message.feeExecuted) * scale,
      },
    ],
    sourceAddress: fixedAddress(blockchain, 'token minter'),
    destinationAddress: recipient,
  };
  receiveTransfer(world, blockchain, arrival, { txHash, effects });
}
