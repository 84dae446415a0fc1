import type { TRAVEL_RULE_DATA } from '../../api/contract/travelRule';
import type { World } from '../world/world';
import { usd } from '../ledger/usdPrices';
import type { Thresholds } from './state';

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

/** Close to the real rules, in round US dollars. */
const JURISDICTIONS: Readonly<Record<string, Jurisdiction>> = {
  ...Object.fromEntries(EU_MEMBERS.map((member) => [member, EU])),
  CH: { message: '0', proof: '1000', data: WITH_ADDRESS },
  GB: { message: '1000', proof: null, data: WITH_ADDRESS },
  JP: { message: '0', proof: null, data: WITH_ADDRESS },
  SG: { message: '0', proof: null, data: NAMES_AND_ACCOUNTS },
  US: { message: '3000', proof: null, data: WITH_ADDRESS },
};
/** The recommendation of the Financial Action Task Force (FATF). */
const DEFAULT_JURISDICTION: Jurisdiction = { message: '1000', proof: null, data: NAMES_AND_ACCOUNTS };

/** A country's rules, with the thresholds that a control has changed. */
export function jurisdictionOf({ travelRule }: World, country: string): Jurisdiction {
  return { ...(JURISDICTIONS[country] ?? DEFAULT_JURISDICTION), ...travelRule.thresholds.get(country) };
}

/** Whether a value, in millionths of a US dollar, is at or above a threshold. An unknown value is above every threshold. */
export function meetsThreshold(value: bigint | undefined, threshold: string): boolean {
  return value === undefined || value >= usd(threshold);
}
