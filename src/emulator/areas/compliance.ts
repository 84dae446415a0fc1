import type { Handlers } from '../area';
import { RISK_RULES } from '../compliance/riskRules';
import { hitOf, decisionOf } from '../compliance/screening';
import { isAddressOf, isScreenedWith, type ScreeningChain } from '../compliance/screeningChains';
import { enveloped } from '../compliance/envelope';
import { Refusal } from '../refusal';
import type { World } from '../world';
import { travelRule } from './travelRule';

export const compliance: Handlers<'compliance'> = {
  screenAddress({ world, body }) {
    const { idempotencyKey: id, address } = body;
    // The contract's rules let no other through.
    const chain = body.chain as ScreeningChain;
    if (!isScreenedWith(world.kind, chain)) throw new Refusal(280001);
    if (!isAddressOf(chain, address)) throw new Refusal(280002);
    return { body: enveloped(world, { id, address, chain, ...screened(world, chain, address) }) };
  },
  ...travelRule,
};

/** What the screening vendor says of an address, and what that means. */
function screened(world: World, chain: string, address: string) {
  const { random, clock } = world;
  const rule = hitOf(world, chain, address);
  if (!rule) return { result: 'APPROVED' as const, decision: decisionOf(world, address, undefined), details: [] };
  const rowId = random.uuid();
  const indicator = { category: rule.category, riskScore: rule.score, rule: RISK_RULES.indexOf(rule) + 1 };
  return {
    result: rule.outbound.includes('DENY') ? ('DENIED' as const) : ('APPROVED' as const),
    decision: decisionOf(world, address, { rule, actions: rule.outbound, rowId }),
    details: [
      {
        id: rowId,
        vendor: 'EMULATOR',
        response: { addressRiskIndicators: [indicator] },
        createDate: clock.now().toISOString(),
      },
    ],
    alertId: random.uuid(),
  };
}
