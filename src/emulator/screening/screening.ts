import { keyKindOf } from '../../domain/chains';
import type { World } from '../world/world';
import {
  findRiskRule,
  isFoundByVendor,
  RISK_RULES,
  type RiskAction,
  type RiskRule,
  type ScreeningDecision,
} from './riskRules';

/** The canonical form of an address on a list: hex addresses in lower case, since their case does not matter. */
export function overrideKey(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

/**
 * The rule that an address hits: the rule that a control has assigned to it, otherwise (on testnets) the rule of its
 * suffix.
 * @param generated whether the emulator generated the address at random; its suffix is then ignored
 */
export function matchRule(
  { screening }: World,
  chain: string,
  address: string,
  generated = false,
): RiskRule | undefined {
  const listed = screening.overrides.get(overrideKey(address));
  if (listed !== undefined) return listed === null ? undefined : findRiskRule(listed);
  if (generated || keyKindOf(chain) !== 'test') return undefined;
  return RISK_RULES.find(({ suffix }) => address.endsWith(suffix));
}

export interface Hit {
  rule: RiskRule;
  actions: readonly RiskAction[];
  /** Id of the vendor's response, to which the reasons point. */
  rowId: string;
}

export function decisionOf({ clock }: World, address: string, hit: Hit | undefined): ScreeningDecision {
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
        signalSource: isFoundByVendor(rule) ? { rowId, pointer: '/addressRiskIndicators/0' } : undefined,
      },
    ],
  };
}
