import type { z } from 'zod';
import type { Ivms101 } from '../../api/contract/ivms101';
import type { PROOF_TYPES, travelRuleMessage } from '../../api/contract/travelRule';
import type { Cancel } from '../kit/clock';
import { Table } from '../kit/table';
import { fixedId } from '../ledger/tokenCatalog';
import { canonicalAddress, type TravelRuleAsset } from './assets';
import type { Behaviour, Status } from './statuses';

declare module '../world/world' {
  interface World {
    readonly travelRule: TravelRuleState;
  }
}

export type TravelRuleMessage = Omit<z.output<typeof travelRuleMessage>, 'status' | 'transactionType' | 'asset'> & {
  status: Status;
  transactionType: 'INBOUND' | 'OUTBOUND';
  asset: TravelRuleAsset;
};

export interface MessageRow {
  readonly id: string;
  /** The message as lists and webhooks show it. */
  resource: TravelRuleMessage;
  /** The personal data, unchanged. */
  ivms101?: Ivms101;
  /** The other VASP's automatic reaction to an outbound message. On an inbound message only the entity acts. */
  behaviour: Behaviour;
  /** Cancels the message's next scheduled step. */
  timer?: Cancel;
}

/** A virtual-asset service provider of the directory. */
export interface VaspRow {
  readonly id: string;
  name: string;
  /** Country, ISO 3166-1 alpha-2. */
  jurisdiction: string;
  /** Addresses that it holds for its customers, as `canonicalAddress` returns them. */
  addresses: string[];
  /** Its automatic reaction to new messages. */
  behaviour: Behaviour;
}

const sample = (name: string, jurisdiction: string, address: string): VaspRow => ({
  id: fixedId('vasp', name),
  name,
  jurisdiction,
  addresses: [address],
  behaviour: 'accept',
});

/** The directory of a new world: the VASPs behind the published test addresses (docs/api-behavior.md#travel-rule). */
function sampleVasps(): VaspRow[] {
  return [
    sample('Sample Exchange US', 'US', '0x774d7851bbda86ed5314823758baf3840166a9f5'),
    sample('Sample Exchange Singapore', 'SG', '0x75658eea924fda66176a05ae7b328caccc907523'),
  ];
}

/**
 * What a proof of ownership is for: an address, for transfers of one token. The upload names no more than these.
 */
export interface ProofBinding {
  /** Symbol of the token, such as `USDC`. */
  symbol: string;
  address: string;
}

/** Proof that an address belongs to a customer. */
export interface OwnershipProof {
  id: string;
  type: (typeof PROOF_TYPES)[number];
  proof: string;
  verified: boolean;
  createDate: string;
}

/** From which amounts a country requires something. US dollars, as decimal strings; each threshold is inclusive. */
export interface Thresholds {
  /** VASPs must send a message. */
  message: string;
  /** The customer must prove that a self-hosted address is theirs; null if the country never requires it. */
  proof: string | null;
}

/** The travel-rule data of a world. */
export class TravelRuleState {
  readonly messages = new Table<MessageRow>();
  readonly vasps = new Table<VaspRow>(sampleVasps());
  readonly #proofs = new Map<string, OwnershipProof>();
  /** Signed texts of proofs. Each counts once, so an old signature cannot be uploaded again. */
  readonly attestations = new Set<string>();
  /** Thresholds that a control has changed, by country. */
  readonly thresholds = new Map<string, Partial<Thresholds>>();

  /** The latest proof. */
  proofOf(binding: ProofBinding): OwnershipProof | undefined {
    return this.#proofs.get(proofKey(binding));
  }

  setProof(binding: ProofBinding, proof: OwnershipProof): void {
    this.#proofs.set(proofKey(binding), proof);
  }
}

function proofKey({ symbol, address }: ProofBinding): string {
  return `${symbol}/${canonicalAddress(address)}`;
}
