import { keyKindOf } from '../../domain/chains';
import type { World } from '../world';
import { RISK_RULES, findRiskRule, type Decision, type RiskAction, type RiskRule } from './riskRules';

/** One way to spell an address that somebody put on a list: hex is blind to case. */
export function listedAs(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

/**
 * The rule that an address hits: the one that a test has put it under, else on testnets the one of its suffix.
 * @param made whether the emulator has made the address at random: then a suffix says nothing
 */
export function hitOf({ store }: World, chain: string, address: string, made = false): RiskRule | undefined {
  const listed = store.compliance.listed.get(listedAs(address));
  if (listed !== undefined) return listed === null ? undefined : findRiskRule(listed);
  if (made || keyKindOf(chain) !== 'test') return undefined;
  return RISK_RULES.find(({ suffix }) => address.endsWith(suffix));
}

export interface Hit {
  rule: RiskRule;
  actions: readonly RiskAction[];
  /** Of the vendor's answer that the reasons point to. */
  rowId: string;
}

export function decisionOf({ clock }: World, address: string, hit: Hit | undefined): Decision {
  const screeningDate = clock.now().toISOString();
  if (!hit) return { screeningDate };
  const { rule, actions, rowId } = hit;
  return {
    screeningDate,
    ruleName: rule.name,
    actions: [...actions],
    reasons: [
      {
        source: 'ADDRESS',
        sourceValue: address,
        riskScore: rule.score,
        riskCategories: [rule.category],
        type: 'OWNERSHIP',
        signalSource: { rowId, pointer: '/addressRiskIndicators/0' },
      },
    ],
  };
}
