import type { Known } from '../settle';

export const RAMP_KNOWN: readonly Known[] = [];
