import type { Known } from '../settle';

export const USERS_KNOWN: readonly Known[] = [];
