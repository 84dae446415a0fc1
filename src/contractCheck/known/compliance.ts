import type { Known } from '../settle';

export const COMPLIANCE_KNOWN: readonly Known[] = [];
