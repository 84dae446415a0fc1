import type { Ivms101 } from '../../api/contract/ivms101';
import type { TRAVEL_RULE_REASONS } from '../../api/contract/travelRule';
import type { World } from '../world/world';
import { jurisdictionOf, meetsThreshold, type TravelRuleData } from './jurisdictions';
import type { MessageRow } from './state';
import { CLOSED_WITHOUT_TRANSFER } from './statuses';
import type { Counterparty } from './vasps';

export type Reason = (typeof TRAVEL_RULE_REASONS)[number];

/** The properties of a transfer that the travel rule looks at. */
export interface TravelRuleTransfer {
  /** Country whose rules apply. */
  jurisdiction: string;
  /** Millionths of a US dollar; undefined for a token without a price. */
  value: bigint | undefined;
  counterparty: Counterparty;
  /** Absent for an outgoing transfer. */
  incoming?: { message: MessageRow | undefined };
}

interface Facts extends TravelRuleTransfer {
  belowThreshold: boolean;
  needsProof: boolean;
  /** What the country requires and the incoming message does not hold. */
  missing: readonly TravelRuleData[];
}

interface TravelRule {
  name: string;
  applies(facts: Facts): boolean;
  proceed: boolean;
  reason: Reason;
  /** The data that have to be sent: all, only those in `missing`, or none if absent. */
  data?: 'all' | 'missing';
}

const isKind = (kind: Counterparty['kind']) => (facts: Facts) => facts.counterparty.kind === kind;
const messageOf = ({ incoming }: Facts) => incoming?.message;

/** In order of precedence, which counts from 1. The first rule that applies determines the advice. */
const RULES: readonly TravelRule[] = [
  {
    name: 'Message closed',
    applies: (facts) => CLOSED_WITHOUT_TRANSFER.has(messageOf(facts)?.resource.status ?? 'NEW'),
    proceed: false,
    reason: 'MESSAGE_CLOSED',
  },
  { name: 'Internal transfer', applies: isKind('internal'), proceed: true, reason: 'INTERNAL_TRANSFER' },
  {
    name: 'Self-hosted wallet without ownership proof',
    applies: (facts) => isKind('selfHosted')(facts) && facts.needsProof,
    proceed: false,
    reason: 'NON_CUSTODIAL_WALLET',
  },
  { name: 'Self-hosted wallet', applies: isKind('selfHosted'), proceed: true, reason: 'NON_CUSTODIAL_WALLET' },
  { name: 'Below threshold', applies: (facts) => facts.belowThreshold, proceed: true, reason: 'BELOW_THRESHOLD' },
  {
    name: 'Message incomplete',
    applies: (facts) =>
      messageOf(facts) !== undefined &&
      (facts.missing.length > 0 || messageOf(facts)?.resource.status === 'INCOMPLETE'),
    proceed: false,
    reason: 'MESSAGE_INCOMPLETE',
    data: 'missing',
  },
  {
    name: 'Message received',
    applies: (facts) => messageOf(facts) !== undefined,
    proceed: true,
    reason: 'TRAVEL_RULE_REQUIRED',
  },
  { name: 'Unknown wallet', applies: isKind('unknown'), proceed: false, reason: 'UNKNOWN_WALLET' },
  {
    name: 'Message missing',
    applies: ({ incoming }) => incoming !== undefined,
    proceed: false,
    reason: 'MESSAGE_MISSING',
    data: 'all',
  },
  { name: 'Hosted wallet', applies: isKind('hosted'), proceed: true, reason: 'TRAVEL_RULE_REQUIRED', data: 'all' },
];

export interface RuleMatch {
  name: string;
  precedence: number;
}
export interface Advice {
  recommendation: 'PROCEED_WITH_TRANSACTION' | 'PREVENT_TRANSACTION';
  reason: Reason;
  requiredTravelRuleData: TravelRuleData[];
  firedRule: RuleMatch;
  matchedRules: RuleMatch[];
}

/** Applies the rules to a transfer. */
export function advise(world: World, transfer: TravelRuleTransfer): Advice {
  const { value, counterparty, jurisdiction } = transfer;
  const { message, proof, data } = jurisdictionOf(world, jurisdiction);
  const facts: Facts = {
    ...transfer,
    belowThreshold: !meetsThreshold(value, message),
    needsProof:
      counterparty.kind === 'selfHosted' && !counterparty.proven && proof !== null && meetsThreshold(value, proof),
    missing: missingData(data, transfer.incoming?.message?.ivms101),
  };
  const matched = RULES.flatMap((rule, index) => (rule.applies(facts) ? [{ rule, precedence: index + 1 }] : []));
  const [fired] = matched;
  if (!fired) throw new Error('No travel rule applies to the transfer');
  const { rule } = fired;
  return {
    recommendation: rule.proceed ? 'PROCEED_WITH_TRANSACTION' : 'PREVENT_TRANSACTION',
    reason: rule.reason,
    requiredTravelRuleData: rule.data === undefined ? [] : [...(rule.data === 'all' ? data : facts.missing)],
    firedRule: presentMatch(fired),
    matchedRules: matched.map(presentMatch),
  };
}

function presentMatch({ rule, precedence }: { rule: TravelRule; precedence: number }): RuleMatch {
  return { name: rule.name, precedence };
}

/** Whether the personal data hold each item. The schema already requires names. */
const HAS_DATA: Readonly<Record<TravelRuleData, (data: Ivms101) => boolean>> = {
  'originator.name': () => true,
  'originator.accountNumber': ({ originator }) => originator.accountNumber !== undefined,
  'originator.geographicAddress': ({ originator }) =>
    originator.originatorPerson.every(
      ({ naturalPerson, legalPerson }) => (naturalPerson ?? legalPerson)?.geographicAddress !== undefined,
    ),
  'beneficiary.name': () => true,
  'beneficiary.accountNumber': ({ beneficiary }) => beneficiary.accountNumber !== undefined,
};

/** The required items that a message does not hold; all of them if it has no personal data. */
export function missingData(required: readonly TravelRuleData[], ivms101: Ivms101 | undefined): TravelRuleData[] {
  return required.filter((name) => !ivms101 || !HAS_DATA[name](ivms101));
}
