import { randomUUID } from 'node:crypto';
import type { Deserved } from './deserved';

export const WALLET_SETS: readonly Deserved[] = [
  { code: 156005, status: 404, by: 'request', earn: (chain) => chain.get(`/walletSets/${randomUUID()}`) },
];
