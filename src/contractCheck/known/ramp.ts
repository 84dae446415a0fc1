import type { KnownDifference } from '../knownDifferences';

export const RAMP_KNOWN: readonly KnownDifference[] = [];
