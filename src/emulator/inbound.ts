import type { Blockchain } from '../domain/chains';
import { fromBaseUnits } from '../domain/money';
import type { Block } from './chains/blocks';
import { accountOf, partsOf, type Movement } from './ledger';
import type { TransactionRow } from './store';
import { tokenOf } from './tokens';
import type { World } from './world';

/** Something that reaches an address. */
export interface Arrival {
  movements: readonly Movement[];
  sourceAddress: string;
  destinationAddress: string;
}

/** The same in its block. */
export interface Landed extends Arrival {
  blockchain: Blockchain;
  txHash: string;
  block: Block;
}

/** The inbound transaction of a wallet of ours, if the destination is one; it is `CONFIRMED` from the start. */
export function addInbound(world: World, landed: Landed): TransactionRow | undefined {
  const { movements, sourceAddress, destinationAddress, blockchain, txHash, block } = landed;
  const { store, random, clock } = world;
  const wallet = store.walletsByAccount.get(accountOf(blockchain, destinationAddress));
  const [first] = movements;
  if (!wallet || !first) return undefined;
  const token = tokenOf(store, first.asset);
  const nfts = movements.flatMap(({ asset }) => partsOf(asset).nftTokenId ?? []);
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
      amounts: movements.map(({ units }) => fromBaseUnits(units, token.decimals ?? 0)),
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
    landed: true,
    plan: {},
    cancelling: false,
    held: false,
  });
}
