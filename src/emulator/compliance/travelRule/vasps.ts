import { BLOCKCHAINS, CHAINS } from '../../../domain/chains';
import { accountOf } from '../../ledger';
import { fixedId } from '../../tokensCatalogue';
import type { World } from '../../world';
import type { VaspRow } from '../state';
import { SELF_HOSTED_ADDRESS, familiesOf, spellingOf, type Asset } from './assets';

/** The entity itself as a VASP: one for each country it works in. */
export function ownVasp(jurisdiction: string): { id: string; name: string } {
  return { id: fixedId('vasp', 'own', jurisdiction), name: `Emulated VASP (${jurisdiction})` };
}

/** Who is behind an address. */
export type Counterparty =
  | { kind: 'hosted'; vasp: VaspRow }
  /** A wallet of the entity itself. */
  | { kind: 'internal' }
  | { kind: 'selfHosted'; proven: boolean }
  | { kind: 'unknown' };

export function counterpartyOf({ store }: World, asset: Asset, address: string): Counterparty {
  const { vasps, proofs } = store.compliance;
  const spelling = spellingOf(address);
  const families = familiesOf(asset);
  const isWallet = BLOCKCHAINS.some(
    (blockchain) =>
      families.includes(CHAINS[blockchain].family) && store.walletsByAccount.has(accountOf(blockchain, address)),
  );
  if (isWallet) return { kind: 'internal' };
  const vasp = vasps.all().find(({ addresses }) => addresses.includes(spelling));
  if (vasp) return { kind: 'hosted', vasp };
  const proven = proofs.has(spelling);
  return proven || spelling === SELF_HOSTED_ADDRESS ? { kind: 'selfHosted', proven } : { kind: 'unknown' };
}

/** Until somebody proves that it is theirs, nobody knows of a self-hosted address that it is one. */
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
