import type { TRAVEL_RULE_STATUSES } from '../../../api/contract/travelRule';

export type Status = (typeof TRAVEL_RULE_STATUSES)[number];
/** The two ends of a message. */
export type Side = 'originator' | 'beneficiary';

/** What either side can make of a message that has a status; nothing leads away from a final one (api-facts 9). */
export const MOVES: Readonly<Record<Status, Readonly<Record<Side, readonly Status[]>>>> = {
  /** Made, not sent: it is on its way, or nobody knows to whom. */
  NEW: { originator: ['CANCELLED'], beneficiary: [] },
  SENT: {
    originator: ['CANCELLED'],
    beneficiary: ['CLAIMED', 'VERIFIED', 'ACCEPTED', 'DENIED', 'REJECTED', 'INCOMPLETE', 'UNKNOWN'],
  },
  /** The beneficiary's VASP says that the address is one of its own. */
  CLAIMED: {
    originator: ['CANCELLED'],
    beneficiary: ['VERIFIED', 'ACCEPTED', 'DENIED', 'REJECTED', 'INCOMPLETE', 'UNKNOWN'],
  },
  VERIFIED: { originator: ['CANCELLED'], beneficiary: ['ACCEPTED', 'DENIED', 'INCOMPLETE', 'UNKNOWN'] },
  /** The beneficiary's VASP wants data, which send the message again. */
  INCOMPLETE: { originator: ['SENT', 'CANCELLED'], beneficiary: ['DENIED', 'REJECTED'] },
  /** The other VASP gave an answer that means nothing here. */
  UNKNOWN: {
    originator: ['CANCELLED'],
    beneficiary: ['CLAIMED', 'VERIFIED', 'ACCEPTED', 'DENIED', 'REJECTED', 'INCOMPLETE'],
  },
  /** Below the threshold, self-hosted or internal: kept and never sent. */
  SAVED: { originator: ['CANCELLED'], beneficiary: [] },
  ACCEPTED: { originator: [], beneficiary: [] },
  DENIED: { originator: [], beneficiary: [] },
  CANCELLED: { originator: [], beneficiary: [] },
  /** The address is none of that VASP. */
  REJECTED: { originator: [], beneficiary: [] },
};

/** After which a transfer must not be made, or kept. */
export const REFUSED: ReadonlySet<Status> = new Set<Status>(['DENIED', 'CANCELLED', 'REJECTED']);

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

/** What the VASP of the beneficiary does by itself with a message that was sent to it. */
export const STEPS: Readonly<Record<Behaviour, Partial<Record<Status, Step>>>> = {
  accept: { ...CLAIMS, VERIFIED: { next: 'ACCEPTED', afterMs: 5_000 } },
  deny: { ...CLAIMS, VERIFIED: { next: 'DENIED', afterMs: 5_000 } },
  reject: { SENT: { next: 'REJECTED', afterMs: 2_000 } },
  incomplete: { ...CLAIMS, CLAIMED: { next: 'INCOMPLETE', afterMs: 3_000 } },
  silent: {},
};

/** From `NEW` to `SENT`, where it is known to whom. */
export const SENT_AFTER_MS = 500;

const WEBHOOKS: Partial<Record<Status, string>> = {
  ACCEPTED: 'travelRule.approve',
  DENIED: 'travelRule.deny',
  REJECTED: 'travelRule.deny',
};

/** The webhook that tells of a status (api-facts 8). */
export function webhookOf(status: Status): string {
  return WEBHOOKS[status] ?? 'travelRule.statusUpdate';
}
