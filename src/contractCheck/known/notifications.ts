import type { Known } from '../settle';

export const NOTIFICATIONS_KNOWN: readonly Known[] = [];
