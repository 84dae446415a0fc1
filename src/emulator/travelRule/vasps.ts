import { BLOCKCHAINS, CHAINS } from '../../domain/chains';
import { accountOf } from '../ledger/ledger';
import { fixedId } from '../ledger/tokenCatalog';
import type { World } from '../world/world';
import { canonicalAddress, familiesOf, SELF_HOSTED_ADDRESS, symbolOf, type TravelRuleAsset } from './assets';
import type { VaspRow } from './state';

/** The entity as a VASP. It is a separate VASP in each country. */
export function ownVasp(jurisdiction: string): { id: string; name: string } {
  return { id: fixedId('vasp', 'own', jurisdiction), name: `Emulated VASP (${jurisdiction})` };
}

/** Who controls an address. */
export type Counterparty =
  | { kind: 'hosted'; vasp: VaspRow }
  /** A wallet of the entity itself. */
  | { kind: 'internal' }
  | { kind: 'selfHosted'; proven: boolean }
  | { kind: 'unknown' };

/** The other side of a transfer. `symbol` is that of the token, if `asset` is only a stand-in for it. */
export function counterpartyOf(
  { travelRule, store }: World,
  { asset, symbol = symbolOf(asset), address }: { asset: TravelRuleAsset; symbol?: string; address: string },
): Counterparty {
  const { vasps } = travelRule;
  const spelling = canonicalAddress(address);
  const families = familiesOf(asset);
  const isWallet = BLOCKCHAINS.some(
    (blockchain) =>
      families.includes(CHAINS[blockchain].family) && store.walletsByAccount.has(accountOf(blockchain, address)),
  );
  if (isWallet) return { kind: 'internal' };
  const vasp = vasps.all().find(({ addresses }) => addresses.includes(spelling));
  if (vasp) return { kind: 'hosted', vasp };
  const proven = travelRule.proofOf({ symbol, address }) !== undefined;
  return proven || spelling === SELF_HOSTED_ADDRESS ? { kind: 'selfHosted', proven } : { kind: 'unknown' };
}

/** A self-hosted address is `UNKNOWN` until a proof of ownership is uploaded. */
export function addressTypeOf(counterparty: Counterparty): 'HOSTED' | 'UNHOSTED' | 'UNKNOWN' {
  switch (counterparty.kind) {
    case 'hosted':
    case 'internal':
      return 'HOSTED';
    case 'selfHosted':
      return counterparty.proven ? 'UNHOSTED' : 'UNKNOWN';
    case 'unknown':
      return 'UNKNOWN';
  }
}
