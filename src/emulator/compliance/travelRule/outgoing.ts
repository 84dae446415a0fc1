import { requiredField } from '../../validation';
import { fieldRefusal } from '../../fieldRefusal';
import { Refusal } from '../../refusal';
import type { World } from '../../world';
import type { MessageRow } from '../state';
import type { Advice } from './advice';
import { requireAddress, spellingOf, type Asset } from './assets';
import type { Counterparty } from './vasps';

/** What is checked before data are sent. */

/** @throws Refusal 2 */
export function requireAddresses(asset: Asset, addresses: { destination: string; origin: string | undefined }): void {
  for (const [location, address] of Object.entries(addresses)) {
    if (address !== undefined) requireAddress(asset, location, address);
  }
}

/** @throws Refusal 2 with an entry for each */
export function requireData({ reason }: Advice, missing: readonly string[]): void {
  if (reason !== 'TRAVEL_RULE_REQUIRED' || missing.length === 0) return;
  throw new Refusal(2, {
    message: 'API parameter invalid',
    errors: missing.map((name) => requiredField(`ivms101.${name}`)),
  });
}

/** @throws Refusal 2 when nobody has the id */
export function namedVasp({ store }: World, id: string | undefined): Counterparty | undefined {
  if (id === undefined) return undefined;
  const vasp = store.compliance.vasps.get(id);
  if (!vasp) throw fieldRefusal('beneficiaryVaspId', 'no VASP has this id');
  return { kind: 'hosted', vasp };
}

/** @throws Refusal 404, or 2 when it wants no data or is about another transfer */
export function incompleteMessage(
  { store }: World,
  id: string,
  { asset, amount, destination }: { asset: Asset; amount: string; destination: string },
): MessageRow {
  const row = store.compliance.messages.get(id);
  if (row?.resource.transactionType !== 'OUTBOUND') {
    throw new Refusal(404, { message: 'Travel rule message not found' });
  }
  const { resource } = row;
  if (resource.status !== 'INCOMPLETE') {
    throw fieldRefusal('travelRuleId', `is a message that is ${resource.status}: only an INCOMPLETE one takes data`);
  }
  const same =
    resource.asset === asset &&
    resource.amount === amount &&
    spellingOf(resource.destinationAddress) === spellingOf(destination);
  if (!same) throw fieldRefusal('travelRuleId', 'is a message about another transfer');
  return row;
}
