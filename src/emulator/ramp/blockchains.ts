import { createHash } from 'node:crypto';
import { findChain, type Blockchain } from '../../domain/chains';
import type { RampBlockchain } from '../../domain/ramp';
import { fixedAddress } from '../tokensCatalogue';
import { stellarAddress } from './stellar';

/** Of the ramp's blockchains, those that the emulator has; `XLM` is none of them. */
export type EmulatedBlockchain = RampBlockchain & Blockchain;

export function isEmulated(blockchain: RampBlockchain): blockchain is EmulatedBlockchain {
  return findChain(blockchain) !== undefined;
}

/** Networks with a dash are testnets (api-facts 3). */
export function keyKind(blockchain: RampBlockchain): 'test' | 'live' {
  return blockchain.includes('-') ? 'test' : 'live';
}

/** `ETH` of `ETH-SEPOLIA`. */
export function networkOf(blockchain: RampBlockchain): string {
  return blockchain.split('-', 1)[0]!;
}

/** An address of the partner, a new one for each name. */
export function partnerAddress(blockchain: RampBlockchain, name: string): string {
  if (isEmulated(blockchain)) return fixedAddress(blockchain, `ramp/${name}`);
  return stellarAddress(createHash('sha256').update(`${blockchain}/${name}`).digest());
}
