import { z } from 'zod';
import { decimal, idParams, requestBlockchain } from '../../api/contract/schema';
import { checkAddress } from '../../crypto/addresses';
import { CHAINS } from '../../domain/chains';
import { isFinal } from '../../domain/transactionState';
import { audit } from '../audit/audit';
import { transactionOf } from '../checks/transaction';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { worldMs } from '../kit/duration';
import { accountOf, EXTERNAL_ACCOUNTS } from '../ledger/ledger';
import type { Token } from '../ledger/resources';
import { fixedAddress } from '../ledger/tokenCatalog';
import { ledgerUnitsOf, tokenById, toUnits } from '../ledger/tokens';
import { broadcast } from '../transactions/outOfBand';
import { reorg } from '../transactions/reorg';
import { isPending } from '../transactions/senderQueue';
import {
  deny,
  fail,
  makeStuck,
  presentTransaction,
  receiveTransfer,
  setConfirmDelay,
  showState,
} from '../transactions/transactionMachine';
import { walletOf } from '../wallets/wallets';
import { walletSetOf } from '../wallets/walletSets';
import { setWalletState } from '../wallets/walletState';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { control, type ControlTable } from './control';

/** A `uint8` on blockchains. */
const MAX_DECIMALS = 255;

const failure = z.strictObject({ errorReason: z.string().min(1), errorDetails: z.string().optional() });

/** What blockchains, screening and third parties do to transactions, wallets and tokens without calling the API. */
export const chainControls: ControlTable = {
  'POST /transactions/next': control({
    summary: 'Plans the outcome of the next accepted transaction; several calls form a queue',
    body: z.strictObject({
      stuck: z.boolean().optional(),
      fail: failure.optional(),
      deny: z.boolean().optional(),
      confirmAfterMs: worldMs.optional(),
    }),
    run: ({ store }, { body }) => {
      store.plannedOutcomes.push(body);
      return { waiting: store.plannedOutcomes.length };
    },
  }),
  'POST /transactions/{id}/stick': control({
    summary: 'The transaction becomes STUCK once it is sent, instead of entering a block',
    params: idParams,
    run: (world, { params }) => {
      const row = pendingTransaction(world, params.id);
      makeStuck(world, row);
      return presentTransaction(row);
    },
  }),
  'POST /transactions/{id}/fail': control({
    summary: 'Fails the transaction now, with a reason; refused once it is in a block',
    params: idParams,
    body: failure,
    run: (world, { params, body }) => {
      const row = pendingTransaction(world, params.id);
      fail(world, row, body);
      return presentTransaction(row);
    },
  }),
  'POST /transactions/{id}/deny': control({
    summary: 'Denies the transaction now; refused once it is sent',
    params: idParams,
    run: (world, { params }) => {
      const row = pendingTransaction(world, params.id);
      if (row.nonce !== undefined) throw new ApiErrorResponse(155229);
      deny(world, row);
      return presentTransaction(row);
    },
  }),
  'POST /transactions/{id}/reorg': control({
    summary:
      'Removes a CONFIRMED transaction from its block: both sides fail with FAILED_REORG, and its effects are undone',
    params: idParams,
    run: (world, { params }) => {
      const row = transactionOf(world, params.id);
      reorg(world, row);
      return presentTransaction(row);
    },
  }),
  'POST /transactions/{id}/pace': control({
    summary: 'Sets the time from SENT to the block; for a transaction already sent, it starts now',
    params: idParams,
    body: z.strictObject({ confirmAfterMs: worldMs }),
    run: (world, { params, body }) => {
      const row = pendingTransaction(world, params.id);
      setConfirmDelay(world, row, body.confirmAfterMs);
      return presentTransaction(row);
    },
  }),
  'POST /transactions/{id}/label': control({
    summary: 'Shows an arbitrary string as the state for a while, during which the transaction does not advance',
    params: idParams,
    body: z.strictObject({ state: z.string().min(1), durationMs: worldMs }),
    run: (world, { params, body }) => {
      const row = transactionOf(world, params.id);
      if (isFinal(row.resource.state)) throw new ApiErrorResponse(155229);
      showState(world, row, body.state, body.durationMs);
      return presentTransaction(row);
    },
  }),
  'POST /chains/{blockchain}/pace': control({
    summary: 'Sets the time from SENT to the block for a whole blockchain; null restores the default',
    params: z.strictObject({ blockchain: requestBlockchain }),
    body: z.strictObject({ confirmAfterMs: worldMs.nullable() }),
    run: ({ store }, { params, body }) => {
      if (body.confirmAfterMs === null) store.confirmDelays.delete(params.blockchain);
      else store.confirmDelays.set(params.blockchain, body.confirmAfterMs);
    },
  }),
  'POST /wallets/{id}/freeze': control({
    summary: 'Freezes the wallet: it can only be queried',
    params: idParams,
    run: (world, { params }) => setWalletState(world, walletOf(world, params.id), 'FROZEN'),
  }),
  'POST /wallets/{id}/unfreeze': control({
    summary: 'Unfreezes the wallet',
    params: idParams,
    run: (world, { params }) => setWalletState(world, walletOf(world, params.id), 'LIVE'),
  }),
  'POST /wallets/{id}/inbound': control({
    summary: 'An external account sends tokens to the wallet; they arrive at the pace of its blockchain',
    params: idParams,
    body: z.strictObject({
      tokenId: z.string(),
      amount: decimal,
      nftTokenId: z.string().optional(),
      /** Address of the sender. */
      from: z.string().optional(),
    }),
    run: (world, { params, body }) => {
      const { blockchain, address } = walletOf(world, params.id).resource;
      const token = tokenById(world.store, body.tokenId);
      if (token.blockchain !== blockchain) throw new ApiErrorResponse(155220);
      if (body.from !== undefined && checkAddress(CHAINS[blockchain].family, body.from))
        throw new ApiErrorResponse(155226);
      receiveTransfer(world, blockchain, {
        movements: [
          {
            from: EXTERNAL_ACCOUNTS.external,
            to: accountOf(blockchain, address),
            asset: ledgerUnitsOf(world.store, token, body.nftTokenId).asset,
            units: unitsOf(world, token, body.amount),
          },
        ],
        sourceAddress: body.from ?? fixedAddress(blockchain, 'stranger'),
        destinationAddress: address,
      });
    },
  }),
  'POST /wallets/{id}/broadcast': control({
    summary:
      "Sends a transaction with the wallet's key without the API: it uses the next nonce and spends the given tokens",
    params: idParams,
    body: z.strictObject({ tokenId: z.string(), amount: decimal, nftTokenId: z.string().optional() }).partial(),
    run: (world, { params, body }) => {
      const row = walletOf(world, params.id);
      const { tokenId, amount = '0', nftTokenId } = body;
      if (tokenId === undefined) return broadcast(world, row, undefined);
      const token = tokenById(world.store, tokenId);
      if (token.blockchain !== row.resource.blockchain) throw new ApiErrorResponse(155220);
      return broadcast(world, row, {
        asset: ledgerUnitsOf(world.store, token, nftTokenId).asset,
        units: unitsOf(world, token, amount),
      });
    },
  }),
  'POST /wallets/{id}/transferOwnership': control({
    summary: 'Transfers a smart-contract wallet to another owner: the API refuses its operations from then on',
    params: idParams,
    run: (world, { params }) => {
      const row = walletOf(world, params.id);
      if (row.resource.accountType !== 'SCA') throw new ApiErrorResponse(155515);
      row.ownershipTransferred = true;
    },
  }),
  'POST /walletSets/{id}/capacity': control({
    summary: 'Sets the maximum number of wallets in the set',
    params: idParams,
    body: z.strictObject({ wallets: z.number().int().nonnegative() }),
    run: (world, { params, body }) => {
      walletSetOf(world, params.id).capacity = body.wallets;
    },
  }),
  'GET /tokens': control({
    summary: 'Lists all tokens of the world',
    run: ({ store }) => ({ tokens: store.tokens.all() }),
  }),
  'POST /tokens': control({
    summary: 'Adds a token; without decimals or with an unknown standard it cannot be transferred',
    body: z.strictObject({
      blockchain: requestBlockchain,
      tokenAddress: z.string().min(1),
      name: z.string().optional(),
      symbol: z.string().optional(),
      standard: z.string().optional(),
      decimals: z.number().int().min(0).max(MAX_DECIMALS).optional(),
    }),
    run: ({ store, random, clock }, { body }) => {
      const at = clock.now().toISOString();
      return store.tokens.add({ id: random.uuid(), isNative: false, ...body, createDate: at, updateDate: at });
    },
  }),
  'PUT /tokens/{id}/metadata': control({
    summary: "Sets the metadata of a token's NFTs; null means that the contract has none",
    params: idParams,
    body: z.strictObject({ metadata: z.string().nullable() }),
    run: (world, { params, body }) => {
      world.store.nftMetadata.set(tokenById(world.store, params.id).id, body.metadata);
    },
  }),
  'GET /ledger/audit': control({
    summary: 'Checks that all balances add up',
    run: (world) => audit(world),
  }),
};

/** @throws ApiErrorResponse 156003 unknown, 155227 inbound, 155229 in a block or final */
function pendingTransaction(world: World, id: string): TransactionRow {
  const row = transactionOf(world, id);
  if (row.resource.transactionType === 'INBOUND') throw new ApiErrorResponse(155227);
  if (!isPending(row)) throw new ApiErrorResponse(155229);
  return row;
}

function unitsOf({ store }: World, token: Token, amount: string | number): bigint {
  try {
    return toUnits(store, token, String(amount));
  } catch (error) {
    throw new ApiErrorResponse(155224, { message: (error as Error).message });
  }
}
