import type { Hex } from 'viem';
import { getAddress, size } from 'viem/utils';
import type { CallMovement, DecodedCall } from '../domain/callMovements';
import { findChain } from '../domain/chains';
import { fromBaseUnits } from '../domain/money';
import { coinOf, STABLECOIN_DECIMALS } from '../domain/stablecoins';
import { type InnerCall, readFunction } from './valueFunctions';

/** How deep calls within calls are decoded. */
const MAX_DEPTH = 4;
/** More than a person reads. What is left out counts as undecoded. */
const MAX_MOVEMENTS = 100;
/**
 * How many calls are decoded, and how much data of them. Calls in a list may share their data, so a short call can stand for
 * a million calls. Decoding them would block the worker.
 */
const MAX_CALLS = 256;
const MAX_BYTES = 256 * 1024;

/** What a call does, including the calls that it makes through a wallet or a batch. */
export function decodeCall(blockchain: string, call: InnerCall): DecodedCall {
  const decoder = new Decoder(blockchain);
  decoder.add(call, 0);
  return decoder.result();
}

class Decoder {
  private readonly movements: CallMovement[] = [];
  private isComplete = true;
  private calls = 0;
  private bytes = 0;

  constructor(private readonly blockchain: string) {}

  add({ contract, data, value }: InnerCall, depth: number): void {
    if (depth > MAX_DEPTH || this.isFull()) {
      this.isComplete = false;
      return;
    }
    this.calls++;
    this.bytes += size(data);
    const address = getAddress(contract);
    if (value > 0n) this.movements.push(nativeTransfer(this.blockchain, address, value));
    // Without data, the contract receives native tokens, and nothing names another recipient.
    if (size(data) === 0) return;
    const reading = readFunction({ contract: address, data });
    if (!reading) this.isComplete = false;
    for (const movement of reading?.movements ?? []) this.movements.push(withAmount(this.blockchain, movement));
    for (const inner of reading?.calls ?? []) {
      this.add(inner, depth + 1);
      if (!this.isComplete && this.isFull()) break;
    }
  }

  private isFull(): boolean {
    return this.movements.length > MAX_MOVEMENTS || this.calls >= MAX_CALLS || this.bytes > MAX_BYTES;
  }

  result(): DecodedCall {
    const movements = this.movements.slice(0, MAX_MOVEMENTS);
    const isWhole = this.isComplete && movements.length === this.movements.length;
    return { movements, ...(!isWhole && { undecoded: true as const }) };
  }
}

function nativeTransfer(blockchain: string, recipient: Hex, value: bigint): CallMovement {
  const decimals = findChain(blockchain)?.native?.decimals;
  const moved = decimals === undefined ? { units: String(value) } : { amount: fromBaseUnits(value, decimals) };
  return { kind: 'transfer', recipient, ...moved };
}

/** The contracts of stablecoins are known: they are no NFTs, and their decimals are published. */
function withAmount(blockchain: string, movement: CallMovement): CallMovement {
  const { units, unitsOrTokenId, ...rest } = movement;
  const value = units ?? unitsOrTokenId;
  if (value === undefined || coinOf({ blockchain, isNative: false, tokenAddress: rest.contract }) === undefined)
    return movement;
  return { ...rest, amount: fromBaseUnits(BigInt(value), STABLECOIN_DECIMALS) };
}
