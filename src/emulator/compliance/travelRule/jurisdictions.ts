import type { TRAVEL_RULE_DATA } from '../../../api/contract/travelRule';
import type { World } from '../../world';
import type { Thresholds } from '../state';
import { usd } from './assets';

export type TravelRuleData = (typeof TRAVEL_RULE_DATA)[number];

const NAMES_AND_ACCOUNTS: readonly TravelRuleData[] = [
  'originator.name',
  'originator.accountNumber',
  'beneficiary.name',
  'beneficiary.accountNumber',
];
const WITH_ADDRESS: readonly TravelRuleData[] = [...NAMES_AND_ACCOUNTS, 'originator.geographicAddress'];

interface Jurisdiction extends Thresholds {
  data: readonly TravelRuleData[];
}

const EU: Jurisdiction = { message: '0', proof: '1000', data: WITH_ADDRESS };
const EU_MEMBERS = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/** Near to the real rules, in round dollars. */
const JURISDICTIONS: Readonly<Record<string, Jurisdiction>> = {
  ...Object.fromEntries(EU_MEMBERS.map((member) => [member, EU])),
  CH: { message: '0', proof: '1000', data: WITH_ADDRESS },
  GB: { message: '1000', proof: null, data: WITH_ADDRESS },
  JP: { message: '0', proof: null, data: WITH_ADDRESS },
  SG: { message: '0', proof: null, data: NAMES_AND_ACCOUNTS },
  US: { message: '3000', proof: null, data: WITH_ADDRESS },
};
/** What the Financial Action Task Force recommends. */
const OTHERS: Jurisdiction = { message: '1000', proof: null, data: NAMES_AND_ACCOUNTS };

/** With what a test has changed. */
export function jurisdictionOf({ store }: World, country: string): Jurisdiction {
  return { ...(JURISDICTIONS[country] ?? OTHERS), ...store.compliance.thresholds.get(country) };
}

/** Whether a value, in millionths of a dollar, is at or above a threshold; one that nobody knows is. */
export function reaches(value: bigint | undefined, threshold: string): boolean {
  return value === undefined || value >= usd(threshold);
}
