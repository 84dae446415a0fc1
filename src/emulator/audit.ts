import type { LedgerAudit } from './ledger';
import { isPending } from './senderQueue';
import type { Store } from './store';

/** Whether the ledger adds up, and whether only transactions that are under way have something set apart. */
export function audit({ ledger, transactions }: Store): LedgerAudit {
  const { problems, ...rest } = ledger.audit();
  for (const id of ledger.owners()) {
    const row = transactions.get(id);
    if (!row || !isPending(row)) problems.push(`Transaction ${id} has something set apart although it is over`);
  }
  return { ...rest, problems, ok: problems.length === 0 };
}
