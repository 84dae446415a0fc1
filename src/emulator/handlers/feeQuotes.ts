import { type Chain, CHAINS } from '../../domain/chains';
import { fromBaseUnits } from '../../domain/money';
import { type Fee, feesOf, nativeDecimals } from '../chains/fees';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import { isEip1559 } from '../transactions/eip1559';
import { acceleratedFee } from '../transactions/feeBump';
import { isEvm, pendingOf } from '../transactions/senderQueue';
import { presentTransaction } from '../transactions/transactionMachine';
import { type AccessFilter, accessOf } from '../wallets/access';
import { requireKeyKind, type SenderFields, senderOf } from '../wallets/sender';
import type { WalletRow } from '../world/walletRows';
import type { World } from '../world/world';

/** The transaction handlers that quote fees without a transaction to send (docs/api-behavior.md#fees). */
export const feeQuotes: Pick<Handlers<'transactions'>, 'getFeeParameters' | 'getLowestNonceTransaction'> = {
  getFeeParameters({ world, query: { blockchain, accountType } }) {
    requireKeyKind(world, blockchain);
    const { family, transfers, sca }: Chain = CHAINS[blockchain];
    if (family !== 'evm' || !transfers) throw new ApiErrorResponse(155510);
    if (accountType === 'SCA' && !sca) throw new ApiErrorResponse(155507);
    const { LOW, MEDIUM, HIGH } = feesOf(blockchain, 1n, isEip1559(world, blockchain));
    return { body: { data: { low: pricesOf(LOW), medium: pricesOf(MEDIUM), high: pricesOf(HIGH) } } };
  },

  getLowestNonceTransaction({ world, query, userToken }) {
    const wallet = findWallet(world, query, accessOf(userToken));
    const sent = [...pendingOf(world.store, wallet)].filter((row) => row.nonce !== undefined && isEvm(row));
    const [lowest] = sent.toSorted((a, b) => (a.nonce ?? 0) - (b.nonce ?? 0));
    if (!lowest) throw new ApiErrorResponse(156003);
    const high = acceleratedFee(lowest);
    const difference = high.max - (lowest.fee?.max ?? 0n);
    return {
      body: {
        data: {
          transaction: presentTransaction(lowest),
          feeInfo: {
            newHighEstimatedFee: high.resource,
            feeDifferenceAmount: fromBaseUnits(difference, nativeDecimals(lowest.resource.blockchain)),
          },
        },
      },
    };
  },
};

function pricesOf({ resource: { gasPrice, maxFee, priorityFee, baseFee } }: Fee) {
  return { gasPrice, maxFee, priorityFee, baseFee };
}

/** @throws ApiErrorResponse 2 neither wallet nor address, 156017 an address without blockchain, 156001 unknown wallet */
function findWallet(
  world: World,
  { walletId, address, blockchain }: { address?: string | undefined } & Pick<SenderFields, 'walletId' | 'blockchain'>,
  access: AccessFilter,
): WalletRow {
  if (walletId === undefined && address === undefined) {
    throw new ApiErrorResponse(2, { message: 'Either walletId, or address and blockchain, is required' });
  }
  if (walletId === undefined && blockchain === undefined) throw new ApiErrorResponse(156017);
  const { wallet } = senderOf(world, { walletId, blockchain, sourceAddress: address }, access);
  if (!wallet) throw new ApiErrorResponse(156001);
  return wallet;
}
