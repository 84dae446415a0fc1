import { landingProblems } from './auditOfLandings';
import { accountOf, assetOf, type Asset, type LedgerAudit } from './ledger';
import { isEvm, isPending } from './senderQueue';
import type { Store, TransactionRow } from './store';
import { nativeToken } from './tokens';

/**
 * Whether the ledger adds up; whether what is set apart is what transactions under way may take, and nothing else; and
 * whether the nonces of every EVM sender follow one another, each used once. Beside the ledger, see `landingProblems`.
 */
export function audit(store: Store): LedgerAudit {
  const { problems, ...rest } = store.ledger.audit();
  const all = [...problems, ...reservationProblems(store), ...nonceProblems(store), ...landingProblems(store)];
  return { ...rest, problems: all, ok: all.length === 0 };
}

function reservationProblems(store: Store): string[] {
  const { ledger, transactions } = store;
  const problems: string[] = [];
  for (const id of ledger.owners()) {
    const row = transactions.get(id);
    if (!row || !isPending(row)) problems.push(`Transaction ${id} has something set apart although it is over`);
  }
  const pending = new Set([...store.queues.values()].flatMap((queue) => [...queue]));
  for (const row of transactions.all()) {
    if (row.resource.transactionType === 'INBOUND') continue;
    const { state } = row.resource;
    if (isPending(row) !== pending.has(row)) problems.push(`Transaction ${row.id} is ${state}, unlike in its queue`);
    if (row.landed !== (state === 'CONFIRMED' || state === 'COMPLETE')) {
      problems.push(`Transaction ${row.id} is ${state} and has ${row.landed ? '' : 'not '}moved anything`);
    }
  }
  for (const row of pending) {
    if (row.uncovered) continue;
    const reserved = ledger.reserved(row.id);
    for (const [asset, units] of neededBy(store, row)) {
      const apart = reserved.get(asset) ?? 0n;
      if (apart !== units)
        problems.push(`Transaction ${row.id} has ${apart} of ${asset} set apart in place of ${units}`);
    }
  }
  return problems;
}

function neededBy(store: Store, { movements, fee, sponsored, wallet }: TransactionRow): Map<Asset, bigint> {
  const needed = new Map<Asset, bigint>();
  const add = (asset: Asset, units: bigint) => needed.set(asset, (needed.get(asset) ?? 0n) + units);
  for (const { asset, units } of movements) add(asset, units);
  if (fee && !sponsored) add(assetOf(nativeToken(store, wallet.resource.blockchain).id), fee.most);
  return needed;
}

function nonceProblems({ nonces, outsideNonces, transactions }: Store): string[] {
  const used = new Map<string, number[]>();
  for (const [account, outside] of outsideNonces) used.set(account, [...outside.used]);
  for (const row of transactions.all()) {
    if (row.nonce === undefined || !isEvm(row)) continue;
    const { blockchain, address } = row.wallet.resource;
    const account = accountOf(blockchain, address);
    used.set(account, [...(used.get(account) ?? []), row.nonce]);
  }
  return [...used].flatMap(([account, taken]) => {
    const ordered = taken.toSorted((a, b) => a - b);
    const whole = ordered.length === nonces.get(account) && ordered.every((nonce, position) => nonce === position);
    return whole ? [] : [`The nonces of ${account} are ${ordered.join(', ')}, and the next is ${nonces.get(account)}`];
  });
}
