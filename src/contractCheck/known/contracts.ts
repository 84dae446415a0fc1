import type { Known } from '../settle';

export const CONTRACTS_KNOWN: readonly Known[] = [];
