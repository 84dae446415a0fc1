import type { JournalEntry } from '../../src/emulator';
import type { TestWorld } from './emulator';

/** The requests of one operation that reached the emulator. */
export async function requestsOf(world: TestWorld, operation: JournalEntry['operation']): Promise<JournalEntry[]> {
  return world.control.journal({ operation });
}

/** The distinct values of a field over all entries. */
export function distinct<T, K extends keyof T>(entries: readonly T[], field: K): T[K][] {
  return [...new Set(entries.map((entry) => entry[field]))];
}

/** A transaction as the emulator lists it. */
export interface ListedTransaction {
  id: string;
  state: string;
  refId?: string;
  amounts: string[];
}

/** All outbound transactions of a wallet, read from the emulator and not from the flow. */
export async function sentBy(world: TestWorld, walletId: string): Promise<ListedTransaction[]> {
  const all: ListedTransaction[] = [];
  for (let after = ''; ; after = `&pageAfter=${all.at(-1)!.id}`) {
    const url = `${world.url}/v1/w3s/transactions?walletIds=${walletId}&txType=OUTBOUND&includeAll=true&pageSize=50${after}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${world.apiKey}` } });
    const { data } = (await response.json()) as { data: { transactions: ListedTransaction[] } };
    all.push(...data.transactions);
    if (data.transactions.length < 50) return all;
  }
}

/** Checks that a wallet has sent one transaction, and that all requests for it had one key. */
export async function expectSentOnce(
  world: TestWorld,
  walletId: string,
  operation: JournalEntry['operation'],
): Promise<void> {
  expect(await sentBy(world, walletId)).toHaveLength(1);
  expect(distinct(await requestsOf(world, operation), 'idempotencyKey')).toHaveLength(1);
}
