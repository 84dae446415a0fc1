import { CHAINS, type Chain } from '../../domain/chains';
import { fromBaseUnits } from '../../domain/money';
import type { Handlers } from '../area';
import { isEip1559 } from '../chains/eip1559';
import { feesOf, nativeDecimals, type Fee } from '../chains/fees';
import { requireKeyKind, sourceOf, type SourceFields } from '../checks/source';
import { reachOf, type Reach } from '../reach';
import { Refusal } from '../refusal';
import { acceleratedFee } from '../replacement';
import { isEvm, pendingOf } from '../senderQueue';
import type { WalletRow } from '../store';
import { shownTransaction } from '../transactionMachine';
import type { World } from '../world';

/** The part of the transactions area that tells what gas costs, without a transaction to send (api-facts 4). */
export const feeQuotes: Pick<Handlers<'transactions'>, 'getFeeParameters' | 'getLowestNonceTransaction'> = {
  getFeeParameters({ world, query: { blockchain, accountType } }) {
    requireKeyKind(world, blockchain);
    const { family, transfers, sca }: Chain = CHAINS[blockchain];
    if (family !== 'evm' || !transfers) throw new Refusal(155510);
    if (accountType === 'SCA' && !sca) throw new Refusal(155507);
    const { LOW, MEDIUM, HIGH } = feesOf(blockchain, 1n, isEip1559(world, blockchain));
    return { body: { data: { low: pricesOf(LOW), medium: pricesOf(MEDIUM), high: pricesOf(HIGH) } } };
  },

  getLowestNonceTransaction({ world, query, userToken }) {
    const wallet = walletAsked(world, query, reachOf(userToken));
    const sent = [...pendingOf(world.store, wallet)].filter((row) => row.nonce !== undefined && isEvm(row));
    const [lowest] = sent.toSorted((a, b) => (a.nonce ?? 0) - (b.nonce ?? 0));
    if (!lowest) throw new Refusal(156003);
    const high = acceleratedFee(lowest);
    const more = high.most - (lowest.fee?.most ?? 0n);
    return {
      body: {
        data: {
          transaction: shownTransaction(lowest),
          feeInfo: {
            newHighEstimatedFee: high.shown,
            feeDifferenceAmount: fromBaseUnits(more, nativeDecimals(lowest.resource.blockchain)),
          },
        },
      },
    };
  },
};

function pricesOf({ shown: { gasPrice, maxFee, priorityFee, baseFee } }: Fee) {
  return { gasPrice, maxFee, priorityFee, baseFee };
}

/** @throws Refusal 2 neither wallet nor address, 156017 an address without its blockchain, 156001 */
function walletAsked(
  world: World,
  { walletId, address, blockchain }: { address?: string | undefined } & Pick<SourceFields, 'walletId' | 'blockchain'>,
  reach: Reach,
): WalletRow {
  if (walletId === undefined && address === undefined) {
    throw new Refusal(2, { message: 'walletId, or address with blockchain, is needed' });
  }
  if (walletId === undefined && blockchain === undefined) throw new Refusal(156017);
  const { wallet } = sourceOf(world, { walletId, blockchain, sourceAddress: address }, reach);
  if (!wallet) throw new Refusal(156001);
  return wallet;
}
