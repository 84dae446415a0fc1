import type { Blockchain } from './chains';

export const FEE_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type FeeLevel = (typeof FEE_LEVELS)[number];

export const EXISTING_USER = ['adopt', 'ask', 'refuse'] as const;
export type ExistingUser = (typeof EXISTING_USER)[number];

/**
 * Limits what flows may do: named, versioned configuration of the workers. An input can only name a policy. A flow reads
 * its policy once, when it begins, and records name and version. Durations are in milliseconds here; in the file they are
 * texts such as `24 hours` (docs/configuration.md#policies).
 */
export interface Policy {
  name: string;
  /** Counts from 1. A change of the content needs a new version. */
  version: number;
  transfer: {
    /** Fee level of transactions whose input sets no fee of its own. */
    feeLevel: FeeLevel;
    /** Maximum network fee in native tokens, by the estimate at the gate. A higher fee needs a decision. */
    maxNetworkFee?: Partial<Record<Blockchain, string>>;
    /** How long a transaction may take before the flow shows `unresolved`. The flow continues to wait. */
    unresolvedAfterMs?: number;
    /** What happens to a transaction in the state `STUCK`: the flow needs a decision, or accelerates it. */
    stuck: 'ask' | 'accelerate';
    /** How old the check of funds and fee may be when the user approves. If it is older, the flow repeats and reports it. */
    approvalMaxAgeMs?: number;
  };
  onboarding: {
    /** What happens if a user with the given id existed before the flow. */
    existingUser: ExistingUser;
    /** When a flow that still waits for its user sends a reminder, counted from its beginning; in ascending order. */
    remindersMs: readonly number[];
  };
}

/** `retail-eu@3` */
export function policyLabel(policy: Policy): string {
  return `${policy.name}@${policy.version}`;
}
