import type { Hex } from 'viem';
import type { Cancel } from '../clock';
import { Table } from '../table';

export type DelayReason = 'insufficient_fee' | 'amount_above_max' | 'insufficient_allowance_available';

/** What the forwarding service, which mints for a fee, has done so far. */
export interface Forwarding {
  state: 'PENDING' | 'CONFIRMED' | 'COMPLETE' | 'FAILED';
  /** Of its mint. */
  txHash?: string;
  /** Takes back what the clock has in store for it. */
  timer?: Cancel;
}

/** A burn on a source blockchain, as whoever made it asked for it. Addresses are 32 bytes, amounts base units. */
export interface Burn {
  /** As the blockchain writes it. */
  txHash: string;
  /** Orders the messages of one transaction. */
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
  /** `unseen` is answered 404. */
  state: 'unseen' | 'pending_confirmations' | 'complete';
  /** Whether it is attested before it is final; decided when it is observed. */
  fast: boolean;
  delayReason: DelayReason | null;
  /** Charged where it is minted; known from the first attestation. */
  feeExecuted?: bigint;
  /** Signed as it is now. */
  attested?: { message: Hex; attestation: Hex };
  /** Absent where nobody asked for it, or the fee does not pay for it. */
  forwarding?: Forwarding;
  /** A new attestation is on its way. */
  reattesting: boolean;
  /** A test took its fast attestation's time away. */
  expired: boolean;
  /** From now on, in place of the domain's own time from the burn to the attestation. */
  attestAt?: Date;
  /** Takes back what the clock has in store for it. */
  timer?: Cancel;
  /** Takes back that it leaves the fast pool, which it is in until it is final. */
  poolTimer?: Cancel | undefined;
}

/** What all fast transfers of a world share, in base units of USDC. */
export interface FastPool {
  limit: bigint;
  /** Of fast burns that are not final yet. */
  used: bigint;
  /** Most that one fast transfer may have. */
  most: bigint;
  changedAt?: Date;
}

/** Fees of a route, in basis points; `fast` only where it is offered. */
export interface Fees {
  fast?: string | undefined;
  standard: string;
}

/** Base units of a million USDC. */
const MILLION = 1_000_000_000_000n;

/** All cross-chain transfers of a world. */
export class CrossChain {
  readonly burns = new Table<BurnRow>();
  /** Fees that a test has set, by route. */
  readonly fees = new Map<string, Partial<Fees>>();
  readonly pool: FastPool = { limit: 50n * MILLION, used: 0n, most: 10n * MILLION };
  /** Hash of the mint by destination and nonce. */
  readonly mints = new Map<string, string>();
  /** Told of every attestation; what mints by itself can't be known here, as a mint may burn again. */
  onAttested: (row: BurnRow) => void = () => {};

  /** In the order of their log index. */
  ofTransaction(sourceDomain: number, txHash: string): BurnRow[] {
    const rows = this.burns.all().filter((row) => row.sourceDomain === sourceDomain && sameHash(row.txHash, txHash));
    return rows.sort((a, b) => a.logIndex - b.logIndex);
  }

  holdsTransaction(txHash: string): boolean {
    return this.burns.all().some((row) => sameHash(row.txHash, txHash));
  }

  /** @param nonce in its normal form, see `normalNonce` */
  ofNonce(nonce: string): BurnRow | undefined {
    return this.burns.all().find((row) => row.nonce === nonce);
  }
}

/** Hex is blind to case, base58 is not. */
function sameHash(a: string, b: string): boolean {
  return a.startsWith('0x') ? a.toLowerCase() === b.toLowerCase() : a === b;
}
