import type { ErrorReason } from './errorReasons';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf } from './ledger';
import { uncover } from './outside';
import { Refusal } from './refusal';
import type { Transaction } from './resources';
import { moveAll } from './settlement';
import type { TransactionRow } from './store';
import { nativeToken } from './tokens';
import { fail } from './transactionSteps';
import type { World } from './world';

const NOT_IN_A_BLOCK = {
  blockHash: undefined,
  blockHeight: undefined,
  firstConfirmDate: undefined,
  networkFee: undefined,
} satisfies Partial<Transaction>;

/**
 * The block of a transaction is replaced by one without it, before it is final: what has moved goes back, the fee too, and
 * both its sides end `FAILED`. An EVM sender fills the nonce with an empty transaction, which costs gas.
 * @throws Refusal 155229 when it is not `CONFIRMED`, or what arrived was spent
 */
export function reorg(world: World, { resource, movements: sent, called = [] }: TransactionRow): void {
  const { store } = world;
  const movements = [...sent, ...called];
  const { blockchain, txHash } = resource;
  const sides = store.transactions
    .all()
    .filter((row) => row.resource.txHash === txHash && row.resource.blockchain === blockchain);
  if (sides.some((row) => row.resource.state !== 'CONFIRMED')) throw new Refusal(155229);
  const { ledger } = store;
  const mine = movements.filter(({ to }) => !Object.hasOwn(OUTSIDE_ACCOUNTS, to));
  if (mine.some(({ to, asset, units }) => ledger.balance(to, asset) < units)) throw new Refusal(155229);
  for (const { to, asset, units } of mine) uncover(world, blockchain, to, asset, units);
  moveAll(
    world,
    movements.map(({ from, to, ...rest }) => ({ from: to, to: from, ...rest })),
  );
  for (const row of sides) {
    if (row.fee && !row.sponsored) refund(world, row, row.fee.expected);
    row.landed = false;
    Object.assign(row.resource, NOT_IN_A_BLOCK);
    fail(world, row, { errorReason: 'FAILED_REORG' satisfies ErrorReason });
  }
}

function refund(world: World, { wallet: { resource } }: TransactionRow, units: bigint): void {
  const { blockchain, address } = resource;
  const asset = assetOf(nativeToken(world.store, blockchain).id);
  moveAll(world, [{ from: OUTSIDE_ACCOUNTS.fees, to: accountOf(blockchain, address), asset, units }]);
}
