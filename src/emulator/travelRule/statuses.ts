import type { TRAVEL_RULE_STATUSES } from '../../api/contract/travelRule';

export type Status = (typeof TRAVEL_RULE_STATUSES)[number];
/** The two ends of a message. */
export type Side = 'originator' | 'beneficiary';

/** The statuses to which each side can move a message, by its current status. A final status allows none. */
export const TRANSITIONS: Readonly<Record<Status, Readonly<Record<Side, readonly Status[]>>>> = {
  /** Created and not sent yet: it will be sent shortly, or the VASP of the destination is unknown. */
  NEW: { originator: ['CANCELLED'], beneficiary: [] },
  SENT: {
    originator: ['CANCELLED'],
    beneficiary: ['CLAIMED', 'VERIFIED', 'ACCEPTED', 'DENIED', 'REJECTED', 'INCOMPLETE', 'UNKNOWN'],
  },
  /** The beneficiary's VASP confirms that the address is its own. */
  CLAIMED: {
    originator: ['CANCELLED'],
    beneficiary: ['VERIFIED', 'ACCEPTED', 'DENIED', 'REJECTED', 'INCOMPLETE', 'UNKNOWN'],
  },
  VERIFIED: { originator: ['CANCELLED'], beneficiary: ['ACCEPTED', 'DENIED', 'INCOMPLETE', 'UNKNOWN'] },
  /** The beneficiary's VASP requires more data. Supplying them sends the message again. */
  INCOMPLETE: { originator: ['SENT', 'CANCELLED'], beneficiary: ['DENIED', 'REJECTED'] },
  /** The other VASP responded in a way that the API does not understand. */
  UNKNOWN: {
    originator: ['CANCELLED'],
    beneficiary: ['CLAIMED', 'VERIFIED', 'ACCEPTED', 'DENIED', 'REJECTED', 'INCOMPLETE'],
  },
  /** Below the threshold, self-hosted or internal: stored, never sent. */
  SAVED: { originator: ['CANCELLED'], beneficiary: [] },
  ACCEPTED: { originator: [], beneficiary: [] },
  DENIED: { originator: [], beneficiary: [] },
  CANCELLED: { originator: [], beneficiary: [] },
  /** The address does not belong to that VASP. */
  REJECTED: { originator: [], beneficiary: [] },
};

/** Statuses after which the transfer must not be made, or must be returned. */
export const CLOSED_WITHOUT_TRANSFER: ReadonlySet<Status> = new Set<Status>(['DENIED', 'CANCELLED', 'REJECTED']);

export const BEHAVIOURS = ['accept', 'deny', 'reject', 'incomplete', 'silent'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

interface Step {
  next: Status;
  /** World time. */
  afterMs: number;
}

const CLAIMS: Partial<Record<Status, Step>> = {
  SENT: { next: 'CLAIMED', afterMs: 2_000 },
  CLAIMED: { next: 'VERIFIED', afterMs: 3_000 },
};

/** What the beneficiary's VASP does with a message automatically. */
export const STEPS: Readonly<Record<Behaviour, Partial<Record<Status, Step>>>> = {
  accept: { ...CLAIMS, VERIFIED: { next: 'ACCEPTED', afterMs: 5_000 } },
  deny: { ...CLAIMS, VERIFIED: { next: 'DENIED', afterMs: 5_000 } },
  reject: { SENT: { next: 'REJECTED', afterMs: 2_000 } },
  incomplete: { ...CLAIMS, CLAIMED: { next: 'INCOMPLETE', afterMs: 3_000 } },
  silent: {},
};

/** From `NEW` to `SENT`, if the VASP of the destination is known. */
export const SENT_AFTER_MS = 500;

const WEBHOOKS: Partial<Record<Status, string>> = {
  ACCEPTED: 'travelRule.approve',
  DENIED: 'travelRule.deny',
  REJECTED: 'travelRule.deny',
};

/** The type of the webhook that reports a status. */
export function webhookType(status: Status): string {
  return WEBHOOKS[status] ?? 'travelRule.statusUpdate';
}
