import type { Blockchain } from './chains';

export const FEE_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type FeeLevel = (typeof FEE_LEVELS)[number];

export const EXISTING_USER = ['adopt', 'ask', 'refuse'] as const;
export type ExistingUser = (typeof EXISTING_USER)[number];

/**
 * What flows may do: named, versioned configuration of the server. An input may only name one; the flow reads it once
 * and records its version (DESIGN rule 8). Durations are milliseconds here, texts like `24 hours` in the file.
 */
export interface Policy {
  name: string;
  /** Counts from 1; a change of content is a new version. */
  version: number;
  transfer: {
    /** Fee level of transactions whose input gives no fee of its own. */
    feeLevel: FeeLevel;
    /** Most that a transaction may cost in native tokens, by the estimate at the gate; above it the flow asks. */
    maxNetworkFee?: Partial<Record<Blockchain, string>>;
    /** After this long without the API's last word the flow shows `unresolved`; it goes on waiting. */
    unresolvedAfterMs?: number;
    /** What to do with a transaction that the API calls `STUCK`: ask a person, or accelerate it. */
    stuck: 'ask' | 'accelerate';
    /** What a user approves later than this after the look at funds and fee is looked at again, and reported. */
    approvalMaxAgeMs?: number;
  };
  onboarding: {
    /** What to do about a user id that was taken before the flow began. */
    existingUser: ExistingUser;
    /** So long after its beginning a flow that still waits for its user says so, each time once. */
    remindersMs: readonly number[];
  };
}

export function policyLabel(policy: Policy): string {
  return `${policy.name}@${policy.version}`;
}
