import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { invalidField } from '../errors/invalidField';
import { requiredField } from '../requests/validation';
import type { World } from '../world/world';
import type { Advice } from './advice';
import { canonicalAddress, requireAddress, type TravelRuleAsset } from './assets';
import type { MessageRow } from './state';
import type { Counterparty } from './vasps';

/** Checks of a `sendPii` request. */

/** @throws ApiErrorResponse 2 with the field of an invalid address */
export function requireAddresses(
  asset: TravelRuleAsset,
  addresses: { destination: string; origin: string | undefined },
): void {
  for (const [location, address] of Object.entries(addresses)) {
    if (address !== undefined) requireAddress(asset, location, address);
  }
}

/** @throws ApiErrorResponse 2 with an entry in `errors` for each missing item */
export function requireData({ reason }: Advice, missing: readonly string[]): void {
  if (reason !== 'TRAVEL_RULE_REQUIRED' || missing.length === 0) return;
  throw new ApiErrorResponse(2, {
    message: 'API parameter invalid',
    errors: missing.map((name) => requiredField(`ivms101.${name}`)),
  });
}

/** @throws ApiErrorResponse 2 if no VASP of the directory has the id */
export function vaspCounterparty({ travelRule }: World, id: string | undefined): Counterparty | undefined {
  if (id === undefined) return undefined;
  const vasp = travelRule.vasps.get(id);
  if (!vasp) throw invalidField('beneficiaryVaspId', 'no VASP has this id');
  return { kind: 'hosted', vasp };
}

/** @throws ApiErrorResponse 404 unknown, 2 the message is not INCOMPLETE or is about another transfer */
export function incompleteMessage(
  { travelRule }: World,
  id: string,
  { asset, amount, destination }: { asset: TravelRuleAsset; amount: string; destination: string },
): MessageRow {
  const row = travelRule.messages.get(id);
  if (row?.resource.transactionType !== 'OUTBOUND') {
    throw new ApiErrorResponse(404, { message: 'Travel rule message not found' });
  }
  const { resource } = row;
  if (resource.status !== 'INCOMPLETE') {
    throw invalidField('travelRuleId', `the message is ${resource.status}, only an INCOMPLETE message accepts data`);
  }
  const same =
    resource.asset === asset &&
    resource.amount === amount &&
    canonicalAddress(resource.destinationAddress) === canonicalAddress(destination);
  if (!same) throw invalidField('travelRuleId', 'the message is about another transfer');
  return row;
}
