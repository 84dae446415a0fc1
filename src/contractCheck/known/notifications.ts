import type { KnownDifference } from '../knownDifferences';

export const NOTIFICATIONS_KNOWN: readonly KnownDifference[] = [];
