import type { Hex } from 'viem';
import type { Cancel } from '../kit/clock';
import { Table } from '../kit/table';

declare module '../world/world' {
  interface World {
    /** Burns, their attestations and mints. */
    readonly crossChain: CrossChainState;
  }
}

export type DelayReason = 'insufficient_fee' | 'amount_above_max' | 'insufficient_allowance_available';

/** The state of the forwarding service, which mints for a fee. */
export interface Forwarding {
  state: 'PENDING' | 'CONFIRMED' | 'COMPLETE' | 'FAILED';
  /** The mint's transaction. */
  txHash?: string;
  /** Cancels the next scheduled step. */
  timer?: Cancel;
}

/** A burn on a source blockchain with the parameters of its sender. Addresses are 32 bytes, amounts are base units. */
export interface Burn {
  /** In the notation of the blockchain. */
  txHash: string;
  /** The position among the messages of one transaction. */
  logIndex: number;
  sourceDomain: number;
  destinationDomain: number;
  burnToken: Hex;
  amount: bigint;
  mintRecipient: Hex;
  messageSender: Hex;
  destinationCaller: Hex;
  minFinalityThreshold: number;
  maxFee: bigint;
  hookData: Hex;
}

export interface BurnRow extends Burn {
  readonly id: string;
  readonly burnedAt: Date;
  readonly nonce: Hex;
  /** `unseen`: the API responds with 404. */
  state: 'unseen' | 'pending_confirmations' | 'complete';
  /** Whether it is attested before it is final. Decided when the burn is observed. */
  fast: boolean;
  delayReason: DelayReason | null;
  /** Deducted from the minted amount. Set by the first attestation. */
  feeExecuted?: bigint;
  /** The current message and its attestation. */
  attested?: { message: Hex; attestation: Hex };
  /** Undefined if forwarding was not requested or `maxFee` does not cover it. */
  forwarding?: Forwarding;
  /** Whether a new attestation is in progress. */
  reattesting: boolean;
  /** Whether a control expired the fast attestation. */
  expired: boolean;
  /** Overrides the time of the attestation, which otherwise follows from the domain. */
  attestAt?: Date;
  /** Cancels the next scheduled step. */
  timer?: Cancel;
  /** Cancels the release from the fast pool. A fast burn counts against the pool until it is final. */
  poolTimer?: Cancel | undefined;
}

/** The allowance that all fast transfers of a world share, in base units of USDC. */
export interface FastPool {
  limit: bigint;
  /** The amount of fast burns that are not final yet. */
  used: bigint;
  /** The maximum amount of one fast transfer. */
  maxPerTransfer: bigint;
  changedAt?: Date;
}

/** Fees of a route, in basis points. `fast` is undefined if the source offers no fast transfers. */
export interface Fees {
  fast?: string | undefined;
  standard: string;
}

/** A million USDC in base units. */
const MILLION = 1_000_000_000_000n;

/** All cross-chain transfers of a world. */
export class CrossChainState {
  readonly burns = new Table<BurnRow>();
  /** Fees that a control has set, by route. */
  readonly fees = new Map<string, Partial<Fees>>();
  readonly pool: FastPool = { limit: 50n * MILLION, used: 0n, maxPerTransfer: 10n * MILLION };
  /** Transaction hash of each mint, by destination and nonce. */
  readonly mints = new Map<string, string>();
  /** Called on every attestation. A callback, because importing the code that mints would be a circular import. */
  onAttested: (row: BurnRow) => void = () => {};

  /** In the order of their log index. */
  burnsIn(sourceDomain: number, txHash: string): BurnRow[] {
    const rows = this.burns.all().filter((row) => row.sourceDomain === sourceDomain && sameHash(row.txHash, txHash));
    return rows.sort((a, b) => a.logIndex - b.logIndex);
  }

  hasTransaction(txHash: string): boolean {
    return this.burns.all().some((row) => sameHash(row.txHash, txHash));
  }

  /** @param nonce normalized by `normalizeNonce` */
  findByNonce(nonce: string): BurnRow | undefined {
    return this.burns.all().find((row) => row.nonce === nonce);
  }
}

/** Hex is case-insensitive, base58 is not. */
function sameHash(a: string, b: string): boolean {
  return a.startsWith('0x') ? a.toLowerCase() === b.toLowerCase() : a === b;
}
