import type { Blockchain } from '../../domain/chains';
import { fromBaseUnits } from '../../domain/money';
import type { Block } from '../chains/blocks';
import { accountOf, type Movement, parseAsset } from '../ledger/ledger';
import { tokenOf } from '../ledger/tokens';
import { amountInUSD } from '../ledger/usdPrices';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';

/** A transfer to an address. */
export interface IncomingTransfer {
  movements: readonly Movement[];
  sourceAddress: string;
  destinationAddress: string;
}

/** An incoming transfer with its block. */
export interface ConfirmedTransfer extends IncomingTransfer {
  blockchain: Blockchain;
  txHash: string;
  block: Block;
}

/** Adds an inbound transaction if the destination is a wallet of the world. Its first state is `CONFIRMED`. */
export function addInbound(world: World, transfer: ConfirmedTransfer): TransactionRow | undefined {
  const { movements, sourceAddress, destinationAddress, blockchain, txHash, block } = transfer;
  const { store, random, clock } = world;
  const wallet = store.walletsByAccount.get(accountOf(blockchain, destinationAddress));
  const [first] = movements;
  if (!wallet || !first) return undefined;
  const token = tokenOf(store, first.asset);
  const nfts = movements.flatMap(({ asset }) => parseAsset(asset).nftTokenId ?? []);
  const amounts = movements.map(({ units }) => fromBaseUnits(units, token.decimals ?? 0));
  const id = random.uuid();
  const at = clock.now().toISOString();
  return store.transactions.add({
    id,
    resource: {
      id,
      blockchain,
      state: 'CONFIRMED',
      transactionType: 'INBOUND',
      operation: 'TRANSFER',
      custodyType: wallet.resource.custodyType,
      walletId: wallet.id,
      userId: wallet.resource.userId,
      sourceAddress,
      destinationAddress: wallet.resource.address,
      tokenId: token.id,
      amounts,
      amountInUSD: amountInUSD(store, { tokenId: token.id, amounts }),
      nfts: nfts.length > 0 ? nfts.map((nftTokenId) => JSON.stringify({ nftTokenId })) : undefined,
      txHash,
      ...block,
      firstConfirmDate: at,
      createDate: at,
      updateDate: at,
    },
    wallet,
    movements,
    sponsored: true,
    settled: true,
    planned: {},
    cancelling: false,
    blocked: false,
  });
}
