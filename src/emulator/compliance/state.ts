import type { z } from 'zod';
import type { Ivms101 } from '../../api/contract/ivms101';
import type { PROOF_TYPES, travelRuleMessage } from '../../api/contract/travelRule';
import type { Cancel } from '../clock';
import { Table } from '../table';
import { fixedId } from '../tokensCatalogue';
import type { Asset } from './travelRule/assets';
import type { Behaviour, Status } from './travelRule/statuses';

export type Message = Omit<z.output<typeof travelRuleMessage>, 'status' | 'transactionType' | 'asset'> & {
  status: Status;
  transactionType: 'INBOUND' | 'OUTBOUND';
  asset: Asset;
};

export interface MessageRow {
  readonly id: string;
  /** As lists and webhooks show it. */
  resource: Message;
  /** The personal data, byte for byte. */
  ivms101?: Ivms101;
  /** What the other VASP does by itself; of one that came in, it is for the entity to act. */
  behaviour: Behaviour;
  /** Takes back what the clock has in store for it. */
  timer?: Cancel;
}

/** A virtual-asset service provider of the directory. */
export interface VaspRow {
  readonly id: string;
  name: string;
  /** Country, ISO 3166-1 alpha-2. */
  jurisdiction: string;
  /** Addresses that it holds for its customers, in one spelling. */
  addresses: string[];
  /** What it does with messages by itself. */
  behaviour: Behaviour;
}

const sample = (name: string, jurisdiction: string, address: string): VaspRow => ({
  id: fixedId('vasp', name),
  name,
  jurisdiction,
  addresses: [address],
  behaviour: 'accept',
});

/** A directory as every world begins with it: the VASPs behind the published test addresses (api-facts 9). */
function sampleVasps(): VaspRow[] {
  return [
    sample('Sample Exchange US', 'US', '0x774d7851bbda86ed5314823758baf3840166a9f5'),
    sample('Sample Exchange Singapore', 'SG', '0x75658eea924fda66176a05ae7b328caccc907523'),
  ];
}

/** That an address belongs to a customer. */
export interface OwnershipProof {
  id: string;
  type: (typeof PROOF_TYPES)[number];
  proof: string;
  verified: boolean;
  createDate: string;
}

/** What a country asks of VASPs. Amounts are US dollars, a decimal string, and count from there: "at or above". */
export interface Thresholds {
  /** A message has to be sent. */
  message: string;
  /** The customer has to prove that a self-hosted address is theirs; null where nobody asks. */
  proof: string | null;
}

/** Screening lists and travel rule of a world. */
export class Compliance {
  /** Name of the risk rule that a test has put an address under; null for one that is cleared whatever its suffix. */
  readonly listed = new Map<string, string | null>();
  readonly messages = new Table<MessageRow>();
  readonly vasps = new Table<VaspRow>(sampleVasps());
  /** The latest proof of an address. */
  readonly proofs = new Map<string, OwnershipProof>();
  /** What a test has changed, by country. */
  readonly thresholds = new Map<string, Partial<Thresholds>>();
}
