import { z } from 'zod';
import { decimal, idParams, requestBlockchain } from '../../api/contract/schema';
import { checkAddress } from '../../crypto/addresses';
import { CHAINS } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import { isFinal } from '../../domain/transactionState';
import { tokenById } from '../areas/tokens';
import { walletSetOf } from '../areas/walletSets';
import { walletOf } from '../areas/wallets';
import { audit } from '../audit';
import { transactionOf } from '../checks/transaction';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf } from '../ledger';
import { worldMs } from '../duration';
import { broadcast } from '../outside';
import { Refusal } from '../refusal';
import { reorg } from '../reorg';
import { isPending } from '../senderQueue';
import type { TransactionRow } from '../store';
import { fixedAddress } from '../tokensCatalogue';
import { deny, fail, label, receive, setPace, shownTransaction, stick } from '../transactionMachine';
import { setWalletState } from '../walletState';
import type { World } from '../world';
import { control, type ControlTable } from './control';

/** A `uint8` on blockchains. */
const MOST_DECIMALS = 255;

const failure = z.strictObject({ errorReason: z.string().min(1), errorDetails: z.string().optional() });

/** What blockchains, screeners and strangers do: transactions, wallets and tokens as seen from outside the API. */
export const chainControls: ControlTable = {
  'POST /transactions/next': control({
    summary: 'Says what becomes of the next transaction that is accepted; several calls make a queue',
    body: z.strictObject({
      stuck: z.boolean().optional(),
      fail: failure.optional(),
      deny: z.boolean().optional(),
      confirmAfterMs: worldMs.optional(),
    }),
    run: ({ store }, { body }) => {
      store.plans.push(body);
      return { waiting: store.plans.length };
    },
  }),
  'POST /transactions/{id}/stick': control({
    summary: 'STUCK instead of in a block, from when it is sent',
    params: idParams,
    run: (world, { params }) => {
      const row = pending(world, params.id);
      stick(world, row);
      return shownTransaction(row);
    },
  }),
  'POST /transactions/{id}/fail': control({
    summary: 'FAILED now, with a reason; not once it is in a block',
    params: idParams,
    body: failure,
    run: (world, { params, body }) => {
      const row = pending(world, params.id);
      fail(world, row, body);
      return shownTransaction(row);
    },
  }),
  'POST /transactions/{id}/deny': control({
    summary: 'DENIED now; not once it is sent',
    params: idParams,
    run: (world, { params }) => {
      const row = pending(world, params.id);
      if (row.nonce !== undefined) throw new Refusal(155229);
      deny(world, row);
      return shownTransaction(row);
    },
  }),
  'POST /transactions/{id}/reorg': control({
    summary: 'FAILED with FAILED_REORG, both sides of it, and what moved goes back; CONFIRMED ones only',
    params: idParams,
    run: (world, { params }) => {
      const row = transactionOf(world, params.id);
      reorg(world, row);
      return shownTransaction(row);
    },
  }),
  'POST /transactions/{id}/pace': control({
    summary: 'Time from SENT to the block; of a transaction that is sent already, from now',
    params: idParams,
    body: z.strictObject({ confirmAfterMs: worldMs }),
    run: (world, { params, body }) => {
      const row = pending(world, params.id);
      setPace(world, row, body.confirmAfterMs);
      return shownTransaction(row);
    },
  }),
  'POST /transactions/{id}/label': control({
    summary: 'Shows any text as its state for a while, in which it stands still',
    params: idParams,
    body: z.strictObject({ state: z.string().min(1), durationMs: worldMs }),
    run: (world, { params, body }) => {
      const row = transactionOf(world, params.id);
      if (isFinal(row.resource.state)) throw new Refusal(155229);
      label(world, row, body.state, body.durationMs);
      return shownTransaction(row);
    },
  }),
  'POST /chains/{blockchain}/pace': control({
    summary: 'Time from SENT to the block for all of a blockchain; null: its own again',
    params: z.strictObject({ blockchain: requestBlockchain }),
    body: z.strictObject({ confirmAfterMs: worldMs.nullable() }),
    run: ({ store }, { params, body }) => {
      if (body.confirmAfterMs === null) store.paces.delete(params.blockchain);
      else store.paces.set(params.blockchain, body.confirmAfterMs);
    },
  }),
  'POST /wallets/{id}/freeze': control({
    summary: 'FROZEN: the wallet can only be queried',
    params: idParams,
    run: (world, { params }) => setWalletState(world, walletOf(world, params.id), 'FROZEN'),
  }),
  'POST /wallets/{id}/unfreeze': control({
    summary: 'LIVE again',
    params: idParams,
    run: (world, { params }) => setWalletState(world, walletOf(world, params.id), 'LIVE'),
  }),
  'POST /wallets/{id}/inbound': control({
    summary: 'Somebody sends tokens to the wallet; they arrive at the pace of its blockchain',
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
      const token = tokenById(world, body.tokenId);
      if (token.blockchain !== blockchain) throw new Refusal(155220);
      if (body.from !== undefined && checkAddress(CHAINS[blockchain].family, body.from)) throw new Refusal(155226);
      receive(world, blockchain, {
        movements: [
          {
            from: OUTSIDE_ACCOUNTS.outside,
            to: accountOf(blockchain, address),
            asset: assetOf(token.id, body.nftTokenId),
            units: unitsOf(body.amount, token.decimals ?? 0),
          },
        ],
        sourceAddress: body.from ?? fixedAddress(blockchain, 'stranger'),
        destinationAddress: address,
      });
    },
  }),
  'POST /wallets/{id}/broadcast': control({
    summary: "Somebody sends with the wallet's key past the API: uses its next nonce and spends what is given",
    params: idParams,
    body: z.strictObject({ tokenId: z.string(), amount: decimal, nftTokenId: z.string().optional() }).partial(),
    run: (world, { params, body }) => {
      const row = walletOf(world, params.id);
      const { tokenId, amount = '0', nftTokenId } = body;
      if (tokenId === undefined) return broadcast(world, row, undefined);
      const token = tokenById(world, tokenId);
      if (token.blockchain !== row.resource.blockchain) throw new Refusal(155220);
      return broadcast(world, row, {
        asset: assetOf(token.id, nftTokenId),
        units: unitsOf(amount, token.decimals ?? 0),
      });
    },
  }),
  'POST /wallets/{id}/transferOwnership': control({
    summary: "A smart-contract wallet obeys somebody else: its key's operations are refused",
    params: idParams,
    run: (world, { params }) => {
      const row = walletOf(world, params.id);
      if (row.resource.accountType !== 'SCA') throw new Refusal(155515);
      row.ownerGone = true;
    },
  }),
  'POST /walletSets/{id}/capacity': control({
    summary: 'Most wallets that the set may hold',
    params: idParams,
    body: z.strictObject({ wallets: z.number().int().nonnegative() }),
    run: (world, { params, body }) => {
      walletSetOf(world, params.id).capacity = body.wallets;
    },
  }),
  'GET /tokens': control({
    summary: 'All tokens of the world',
    run: ({ store }) => ({ tokens: store.tokens.all() }),
  }),
  'POST /tokens': control({
    summary: 'Adds a token, sound or not: without decimals or of a strange standard it can not be transferred',
    body: z.strictObject({
      blockchain: requestBlockchain,
      tokenAddress: z.string().min(1),
      name: z.string().optional(),
      symbol: z.string().optional(),
      standard: z.string().optional(),
      decimals: z.number().int().min(0).max(MOST_DECIMALS).optional(),
    }),
    run: ({ store, random, clock }, { body }) => {
      const at = clock.now().toISOString();
      return store.tokens.add({ id: random.uuid(), isNative: false, ...body, createDate: at, updateDate: at });
    },
  }),
  'PUT /tokens/{id}/metadata': control({
    summary: 'Metadata that the NFTs of a token show; null: its contract has none',
    params: idParams,
    body: z.strictObject({ metadata: z.string().nullable() }),
    run: (world, { params, body }) => {
      world.store.nftMetadata.set(tokenById(world, params.id).id, body.metadata);
    },
  }),
  'GET /ledger/audit': control({
    summary: 'Whether all balances add up',
    run: ({ store }) => audit(store),
  }),
};

/** @throws Refusal 156003, 155227 inbound, 155229 in a block or at its end */
function pending(world: World, id: string): TransactionRow {
  const row = transactionOf(world, id);
  if (row.resource.transactionType === 'INBOUND') throw new Refusal(155227);
  if (!isPending(row)) throw new Refusal(155229);
  return row;
}

function unitsOf(amount: string | number, decimals: number): bigint {
  try {
    return toBaseUnits(String(amount), decimals);
  } catch (error) {
    throw new Refusal(155224, { message: (error as Error).message });
  }
}
