import type { KnownDifference } from '../knownDifferences';
import { ATTESTATION_KNOWN } from './attestation';
import { COMPLIANCE_KNOWN } from './compliance';
import { CONFIGURATION_KNOWN } from './configuration';
import { CONTRACTS_KNOWN } from './contracts';
import { EVERYWHERE_KNOWN } from './everywhere';
import { NOTIFICATIONS_KNOWN } from './notifications';
import { RAMP_KNOWN } from './ramp';
import { SIGNING_KNOWN } from './signing';
import { TRANSACTIONS_KNOWN } from './transactions';
import { USERS_KNOWN } from './users';
import { WALLETS_KNOWN } from './wallets';

/**
 * Intended differences between the contract and the published documents. Where they contradict the API reference, the API
 * reference wins (docs/api-behavior.md#where-specification-and-public-material-differ).
 */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  ...EVERYWHERE_KNOWN,
  ...WALLETS_KNOWN,
  ...CONFIGURATION_KNOWN,
  ...TRANSACTIONS_KNOWN,
  ...SIGNING_KNOWN,
  ...NOTIFICATIONS_KNOWN,
  ...ATTESTATION_KNOWN,
  ...USERS_KNOWN,
  ...CONTRACTS_KNOWN,
  ...COMPLIANCE_KNOWN,
  ...RAMP_KNOWN,
];
