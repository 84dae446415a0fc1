import type { z } from 'zod';
import type { RISK_ACTIONS, RISK_CATEGORIES, RISK_SCORES, screeningDecision } from '../../api/contract/screening';

export type RiskAction = (typeof RISK_ACTIONS)[number];

/** A rule of the Compliance Engine: which addresses it matches, and which actions follow. */
export interface RiskRule {
  name: string;
  /** Last characters of the addresses that hit the rule on testnets (docs/api-behavior.md#screening). */
  suffix: string;
  score: (typeof RISK_SCORES)[number];
  category: (typeof RISK_CATEGORIES)[number];
  /** Actions when money has arrived from the address. */
  inbound: readonly RiskAction[];
  /** Actions when money is to be sent to the address. They also apply when an address is screened on its own. */
  outbound: readonly RiskAction[];
}

const REVIEWED = { inbound: ['REVIEW'], outbound: ['REVIEW'] } as const;
const DENIED = { inbound: ['REVIEW'], outbound: ['DENY', 'REVIEW'] } as const;
const FROZEN = { inbound: ['REVIEW', 'FREEZE_WALLET'], outbound: ['DENY', 'REVIEW', 'FREEZE_WALLET'] } as const;

/** The nine testnet rules. The actions of the last six are the emulator's own: public sources name none. */
// prettier-ignore
export const RISK_RULES: readonly RiskRule[] = [
  { suffix: '9999', name: "Circle's Sanctions Blocklist", score: 'BLOCKLIST', category: 'SANCTIONS', ...FROZEN },
  { suffix: '8888', name: 'Frozen User Wallet', score: 'BLOCKLIST', category: 'FROZEN', ...DENIED },
  { suffix: '7777', name: 'Your blocklist', score: 'BLOCKLIST', category: 'UNSUPPORTED', ...DENIED },
  { suffix: '8999', name: 'Severe Sanctions Risk (Owner)', score: 'SEVERE', category: 'SANCTIONS', ...FROZEN },
  { suffix: '8899', name: 'Severe Terrorist Financing (Owner)', score: 'SEVERE', category: 'TERRORIST_FINANCING', ...FROZEN },
  { suffix: '8889', name: 'Severe CSAM Risk (Owner)', score: 'SEVERE', category: 'CSAM', ...FROZEN },
  { suffix: '7779', name: 'Severe Illicit Behavior (Owner)', score: 'SEVERE', category: 'ILLICIT_BEHAVIOR', ...DENIED },
  { suffix: '7666', name: 'High Illicit Behavior Risk (Owner)', score: 'HIGH', category: 'ILLICIT_BEHAVIOR', ...REVIEWED },
  { suffix: '7766', name: 'High Gambling Risk (Owner)', score: 'HIGH', category: 'GAMBLING', ...REVIEWED },
];

/** Whether a vendor found the risk. The entity's and the API's own lists need no vendor. */
export function isFoundByVendor({ score }: RiskRule): boolean {
  return score !== 'BLOCKLIST';
}

export function findRiskRule(name: string): RiskRule | undefined {
  return RISK_RULES.find((rule) => rule.name === name);
}

export type ScreeningDecision = z.output<typeof screeningDecision>;
