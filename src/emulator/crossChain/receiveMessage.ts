import type { Hex } from 'viem';
import type { SideEffect } from '../ledger/effectLog';
import type { World } from '../world/world';
import { messengerOf, toBytes32, ZERO_BYTES32 } from './addresses';
import { checkAttestation } from './attesters';
import { type BurnMessage, decodeMessage } from './message';
import { heightOf } from './routes';

/** A call of `receiveMessage` on a destination blockchain. */
export interface MintCall {
  destinationDomain: number;
  message: Hex;
  attestation: Hex;
  /** The sender of the transaction. Required if the burn names a destination caller. */
  caller?: string | undefined;
}

/** The lowest finality threshold that the token messenger accepts. */
const MIN_FINALITY = 500;

/** Returns the message if the contracts accept it, otherwise their revert reason. */
export function checkMessage(world: World, call: MintCall): { message: BurnMessage } | { reason: string } {
  const reason = checkAttestation(call.message, call.attestation);
  if (reason) return { reason };
  const message = decodeMessage(call.message);
  if (!message) return { reason: 'Malformed message' };
  const rejection = revertReason(world, message, call);
  return rejection === undefined ? { message } : { reason: rejection };
}

/** Marks a message as minted. Undone if the block of the mint is replaced. */
export function markMinted({ crossChain }: World, message: BurnMessage, txHash: string): SideEffect {
  const { mints } = crossChain;
  mints.set(mintKey(message), txHash);
  return { isUsed: () => false, undo: () => mints.delete(mintKey(message)) };
}

export function isMinted({ crossChain }: World, message: Pick<BurnMessage, 'destinationDomain' | 'nonce'>): boolean {
  return crossChain.mints.has(mintKey(message));
}

/** Checks in the same order as the contracts. */
function revertReason(world: World, message: BurnMessage, call: MintCall): string | undefined {
  if (message.destinationDomain !== call.destinationDomain) return 'Invalid destination domain';
  if (message.destinationCaller !== ZERO_BYTES32) {
    const caller = call.caller && toBytes32(message.destinationDomain, call.caller);
    if (caller !== message.destinationCaller) return 'Invalid caller for message';
  }
  if (isMinted(world, message)) return 'Nonce already used';
  if (message.recipient !== messengerOf(message.destinationDomain, world.kind)) return 'Unknown recipient';
  if (message.sender !== messengerOf(message.sourceDomain, world.kind)) return 'Remote TokenMessenger unsupported';
  if (message.finalityThresholdExecuted < MIN_FINALITY) return 'Unsupported finality threshold';
  if (isExpired(world, message)) return 'Message expired and must be re-signed';
  if (message.feeExecuted !== 0n && message.feeExecuted >= message.amount) return 'Fee equals or exceeds amount';
  return message.feeExecuted > message.maxFee ? 'Fee exceeds max fee' : undefined;
}

function isExpired(world: World, { nonce, destinationDomain, expirationBlock }: BurnMessage): boolean {
  if (expirationBlock === 0n) return false;
  const expired = world.crossChain.findByNonce(nonce)?.expired ?? false;
  return expired || heightOf(world, destinationDomain) >= expirationBlock;
}

function mintKey({ destinationDomain, nonce }: Pick<BurnMessage, 'destinationDomain' | 'nonce'>): string {
  return `${destinationDomain}/${nonce}`;
}
