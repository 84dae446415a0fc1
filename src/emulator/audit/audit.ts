import { accountOf, type Asset, assetOf, type LedgerAudit } from '../ledger/ledger';
import { nativeToken } from '../ledger/tokens';
import { isEvm, isPending } from '../transactions/senderQueue';
import type { Store } from '../world/store';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { effectProblems } from './effectAudit';

/**
 * Audits a world. Checks that the ledger adds up, that exactly the funds of pending transactions are reserved, that the
 * nonces of every EVM sender are consecutive and used once, and that all side effects match (see `effectProblems`).
 */
export function audit(world: World): LedgerAudit {
  const { store } = world;
  const { problems, ...rest } = store.ledger.audit();
  const all = [...problems, ...reservationProblems(store), ...nonceProblems(store), ...effectProblems(world)];
  return { ...rest, problems: all, ok: all.length === 0 };
}

function reservationProblems(store: Store): string[] {
  const { ledger, transactions } = store;
  const problems: string[] = [];
  for (const id of ledger.reservationOwners()) {
    const row = transactions.get(id);
    if (!row || !isPending(row)) problems.push(`Transaction ${id} still has reserved funds although it is not pending`);
  }
  const pending = new Set([...store.queues.values()].flatMap((queue) => [...queue]));
  for (const row of transactions.all()) {
    if (row.resource.transactionType === 'INBOUND') continue;
    const { state } = row.resource;
    if (isPending(row) !== pending.has(row))
      problems.push(
        `Transaction ${row.id} is ${state}, but ${pending.has(row) ? 'is still' : 'is not'} in its sender's queue`,
      );
    if (row.settled !== (state === 'CONFIRMED' || state === 'COMPLETE')) {
      problems.push(`Transaction ${row.id} is ${state} but has ${row.settled ? 'been' : 'not been'} settled`);
    }
  }
  for (const row of pending) {
    if (row.underfunded) continue;
    const reserved = ledger.reserved(row.id);
    for (const [asset, units] of neededBy(store, row)) {
      const reservedUnits = reserved.get(asset) ?? 0n;
      if (reservedUnits !== units)
        problems.push(`Transaction ${row.id} has ${reservedUnits} of ${asset} reserved instead of ${units}`);
    }
  }
  return problems;
}

function neededBy(store: Store, { movements, fee, sponsored, wallet }: TransactionRow): Map<Asset, bigint> {
  const needed = new Map<Asset, bigint>();
  const add = (asset: Asset, units: bigint) => needed.set(asset, (needed.get(asset) ?? 0n) + units);
  for (const { asset, units } of movements) add(asset, units);
  if (fee && !sponsored) add(assetOf(nativeToken(store, wallet.resource.blockchain).id), fee.max);
  return needed;
}

function nonceProblems({ nonces, outOfBandNonces, transactions }: Store): string[] {
  const used = new Map<string, number[]>();
  for (const [account, outOfBand] of outOfBandNonces) used.set(account, [...outOfBand.used]);
  for (const row of transactions.all()) {
    if (row.nonce === undefined || !isEvm(row)) continue;
    const { blockchain, address } = row.wallet.resource;
    const account = accountOf(blockchain, address);
    used.set(account, [...(used.get(account) ?? []), row.nonce]);
  }
  return [...used].flatMap(([account, accountNonces]) => {
    const ordered = accountNonces.toSorted((a, b) => a - b);
    const isConsecutive =
      ordered.length === nonces.get(account) && ordered.every((nonce, position) => nonce === position);
    return isConsecutive
      ? []
      : [`The nonces of ${account} are ${ordered.join(', ')}, but the next nonce is ${nonces.get(account)}`];
  });
}
