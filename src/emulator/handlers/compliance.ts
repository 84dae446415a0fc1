import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { Handlers } from '../http/handler';
import { isFoundByVendor, RISK_RULES } from '../screening/riskRules';
import { decisionOf, matchRule } from '../screening/screening';
import { isAddressOf, isScreenedWith, type ScreeningChain } from '../screening/screeningChains';
import type { World } from '../world/world';
import { enveloped } from './complianceEnvelope';
import { travelRule } from './travelRule';

export const compliance: Handlers<'compliance'> = {
  screenAddress({ world, body }) {
    const { idempotencyKey: id, address } = body;
    // The contract rejects every other value.
    const chain = body.chain as ScreeningChain;
    if (!isScreenedWith(world.kind, chain)) throw new ApiErrorResponse(280001);
    if (!isAddressOf(chain, address)) throw new ApiErrorResponse(280002);
    return { body: enveloped(world, { id, address, chain, ...screeningResult(world, chain, address) }) };
  },
  ...travelRule,
};

/** The vendor's response for an address, and the decision that follows. */
function screeningResult(world: World, chain: string, address: string) {
  const { random, clock } = world;
  const rule = matchRule(world, chain, address);
  if (!rule) return { result: 'APPROVED' as const, decision: decisionOf(world, address, undefined), details: [] };
  const rowId = random.uuid();
  const indicator = { category: rule.category, riskScore: rule.score, rule: RISK_RULES.indexOf(rule) + 1 };
  const vendorResponse = {
    id: rowId,
    vendor: 'EMULATOR',
    response: { addressRiskIndicators: [indicator] },
    createDate: clock.now().toISOString(),
  };
  return {
    result: rule.outbound.includes('DENY') ? ('DENIED' as const) : ('APPROVED' as const),
    decision: decisionOf(world, address, { rule, actions: rule.outbound, rowId }),
    details: isFoundByVendor(rule) ? [vendorResponse] : [],
    alertId: random.uuid(),
  };
}
