import { createHash } from 'node:crypto';
import { type Blockchain, findChain } from '../../domain/chains';
import type { RampBlockchain } from '../../domain/ramp';
import { fixedAddress } from '../ledger/tokenCatalog';
import { stellarAddress } from './stellar';

/** The ramp's blockchains that the emulator runs: all but Stellar (`XLM`). */
export type EmulatedBlockchain = RampBlockchain & Blockchain;

export function isEmulated(blockchain: RampBlockchain): blockchain is EmulatedBlockchain {
  return findChain(blockchain) !== undefined;
}

/** Blockchains with a dash in their name are testnets. */
export function keyKind(blockchain: RampBlockchain): 'test' | 'live' {
  return blockchain.includes('-') ? 'test' : 'live';
}

/** The name without the testnet: `ETH` for `ETH-SEPOLIA`. */
export function networkOf(blockchain: RampBlockchain): string {
  return blockchain.split('-', 1)[0]!;
}

/** An address of the partner, different for each name. */
export function partnerAddress(blockchain: RampBlockchain, name: string): string {
  if (isEmulated(blockchain)) return fixedAddress(blockchain, `ramp/${name}`);
  return stellarAddress(createHash('sha256').update(`${blockchain}/${name}`).digest());
}
