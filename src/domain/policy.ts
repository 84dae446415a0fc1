import type { Blockchain } from './chains';

export const FEE_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type FeeLevel = (typeof FEE_LEVELS)[number];

export const EXISTING_USER = ['adopt', 'ask', 'refuse'] as const;
export type ExistingUser = (typeof EXISTING_USER)[number];

export const UNDEPLOYED_CHOICES = ['ask', 'deploy'] as const;

export const STUCK_CHOICES = ['ask', 'accelerate', 'cancel', 'hold'] as const;

/**
 * Limits what flows may do: named, versioned configuration of the workers. An input can only name a policy. A flow
 * reads its policy once, when it begins, and records name and version. Durations are in milliseconds here; in the file
 * they are strings such as `24 hours` (docs/configuration.md#policies).
 */
export interface Policy {
  name: string;
  /** Counts from 1. A change of the content needs a new version. */
  version: number;
  /** Refuses a flow whose initiator is not known. Without issuers, that is every flow. */
  requireInitiator?: boolean;
  transfer: {
    /** Fee level of transactions whose input does not set a fee. */
    feeLevel: FeeLevel;
    /** Maximum network fee in native tokens, by the estimate at the gate. A higher fee needs a decision. */
    maxNetworkFee?: Partial<Record<Blockchain, string>>;
    /**
     * By how much a fee that is not fixed in the request may rise between the estimate and the block, in percent. The
     * maximum holds with this rise. Absent: it is compared without one.
     */
    feeHeadroomPercent?: number;
    /**
     * How long the flow waits for a webhook before it reads its transaction the first time. For entities with webhooks: a
     * transaction whose webhook arrives costs no read. A stuck transaction is noticed later by this time.
     */
    firstReadAfterMs?: number;
    /** How long a transaction may take before the flow shows `unresolved`. The flow continues to wait. */
    unresolvedAfterMs?: number;
    /**
     * What the flow does about a `STUCK` transaction. Until it has moved on, no other flow sends from its wallet.
     *
     * - `ask`         asks for a decision
     * - `accelerate`  raises its fee, and asks if that does not help
     * - `cancel`      asks the API to cancel it, and asks a person if that does not help
     * - `hold`        waits until a block takes it
     */
    stuck: (typeof STUCK_CHOICES)[number];
    /**
     * Maximum age of the check of funds and fee for a user's approval. If a challenge expires later than this after the
     * check, the flow repeats the check before the next challenge. If the user approves later, the flow repeats it and
     * reports the result.
     */
    approvalMaxAgeMs: number;
    /**
     * Looks for a transaction with the flow's reference before the first request. It costs one read. For refs that may
     * return after Temporal has deleted the history of their flow.
     */
    preflight?: boolean;
  };
  onboarding: {
    /** What happens if a user with the given id existed before the flow. */
    existingUser: ExistingUser;
    /** When a flow that still waits for its user sends a reminder, counted from its beginning; in ascending order. */
    remindersMs: readonly number[];
  };
  signing: {
    /**
     * What a flow does that has to sign with a smart-contract wallet that is not deployed yet.
     *
     * - `ask`     asks for a decision
     * - `deploy`  sends the first transaction of the wallet, which deploys it. It costs a network fee, for which `transfer` holds
     */
    undeployed: (typeof UNDEPLOYED_CHOICES)[number];
  };
}

/** `retail-eu@3` */
export function policyLabel(policy: Policy): string {
  return `${policy.name}@${policy.version}`;
}
