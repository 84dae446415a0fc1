import type { Ivms101 } from '../../../api/contract/ivms101';
import type { TRAVEL_RULE_REASONS } from '../../../api/contract/travelRule';
import { jurisdictionOf, reaches, type TravelRuleData } from './jurisdictions';
import type { MessageRow } from '../state';
import { REFUSED } from './statuses';
import type { Counterparty } from './vasps';
import type { World } from '../../world';

export type Reason = (typeof TRAVEL_RULE_REASONS)[number];

/** A transfer as far as the travel rule is concerned. */
export interface Transfer {
  /** Country whose rules count. */
  jurisdiction: string;
  /** Millionths of a dollar, if anybody knows. */
  value: bigint | undefined;
  counterparty: Counterparty;
  /** Absent for one that is to be sent. */
  incoming?: { message: MessageRow | undefined };
}

interface Facts extends Transfer {
  belowThreshold: boolean;
  needsProof: boolean;
  /** Of the message that came in, what the country wants and it does not hold. */
  missing: readonly TravelRuleData[];
}

interface TravelRule {
  name: string;
  applies(facts: Facts): boolean;
  proceed: boolean;
  reason: Reason;
  /** Whether data have to be sent; those of `missing` where only some are. */
  data?: 'all' | 'missing';
}

const isKind = (kind: Counterparty['kind']) => (facts: Facts) => facts.counterparty.kind === kind;
const messageOf = ({ incoming }: Facts) => incoming?.message;

/** In the order of their precedence, which counts from 1: of those that apply the first one decides. */
const RULES: readonly TravelRule[] = [
  {
    name: 'Message closed',
    applies: (facts) => REFUSED.has(messageOf(facts)?.resource.status ?? 'NEW'),
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

export interface RuleShown {
  name: string;
  precedence: number;
}
export interface Advice {
  recommendation: 'PROCEED_WITH_TRANSACTION' | 'PREVENT_TRANSACTION';
  reason: Reason;
  requiredTravelRuleData: TravelRuleData[];
  firedRule: RuleShown;
  matchedRules: RuleShown[];
}

/** What the travel rule says to a transfer. */
export function advise(world: World, transfer: Transfer): Advice {
  const { value, counterparty, jurisdiction } = transfer;
  const { message, proof, data } = jurisdictionOf(world, jurisdiction);
  const facts: Facts = {
    ...transfer,
    belowThreshold: !reaches(value, message),
    needsProof: counterparty.kind === 'selfHosted' && !counterparty.proven && proof !== null && reaches(value, proof),
    missing: missingData(data, transfer.incoming?.message?.ivms101),
  };
  const matched = RULES.flatMap((rule, index) => (rule.applies(facts) ? [{ rule, precedence: index + 1 }] : []));
  const [fired] = matched;
  if (!fired) throw new Error('No rule of the travel rule says anything about the transfer');
  const { rule } = fired;
  return {
    recommendation: rule.proceed ? 'PROCEED_WITH_TRANSACTION' : 'PREVENT_TRANSACTION',
    reason: rule.reason,
    requiredTravelRuleData: rule.data === undefined ? [] : [...(rule.data === 'all' ? data : facts.missing)],
    firedRule: shown(fired),
    matchedRules: matched.map(shown),
  };
}

function shown({ rule, precedence }: { rule: TravelRule; precedence: number }): RuleShown {
  return { name: rule.name, precedence };
}

/** Names are in every message: its schema wants them. */
const HOLDS: Readonly<Record<TravelRuleData, (data: Ivms101) => boolean>> = {
  'originator.name': () => true,
  'originator.accountNumber': ({ originator }) => originator.accountNumber !== undefined,
  'originator.geographicAddress': ({ originator }) =>
    originator.originatorPerson.every(
      ({ naturalPerson, legalPerson }) => (naturalPerson ?? legalPerson)?.geographicAddress !== undefined,
    ),
  'beneficiary.name': () => true,
  'beneficiary.accountNumber': ({ beneficiary }) => beneficiary.accountNumber !== undefined,
};

/** Of what is wanted, what a message does not hold; all of it where there are no data. */
export function missingData(wanted: readonly TravelRuleData[], ivms101: Ivms101 | undefined): TravelRuleData[] {
  return wanted.filter((name) => !ivms101 || !HOLDS[name](ivms101));
}
