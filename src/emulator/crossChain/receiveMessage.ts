import type { Hex } from 'viem';
import type { Effect } from '../landings';
import type { World } from '../world';
import { NOBODY, messengerOf, toBytes32 } from './addresses';
import { checkAttestation } from './attesters';
import { decodeMessage, type BurnMessage } from './message';
import { heightOf } from './routes';

/** A call of `receiveMessage` on a destination blockchain. */
export interface MintCall {
  destinationDomain: number;
  message: Hex;
  attestation: Hex;
  /** Who sends the transaction; needed where the burn named one. */
  caller?: string | undefined;
}

/** The finality below which the token messenger takes nothing. */
const LEAST_FINALITY = 500;

/** The message, if the contracts take it; else what they revert with. */
export function checkMessage(world: World, call: MintCall): { message: BurnMessage } | { reason: string } {
  const reason = checkAttestation(call.message, call.attestation);
  if (reason) return { reason };
  const message = decodeMessage(call.message);
  if (!message) return { reason: 'Malformed message' };
  const broken = whyNot(world, message, call);
  return broken === undefined ? { message } : { reason: broken };
}

/** A message is minted once, unless the block of its mint is replaced. */
export function useMessage({ store }: World, message: BurnMessage, txHash: string): Effect {
  const { mints } = store.crossChain;
  mints.set(useOf(message), txHash);
  return { isUsed: () => false, undo: () => mints.delete(useOf(message)) };
}

export function isUsed({ store }: World, message: Pick<BurnMessage, 'destinationDomain' | 'nonce'>): boolean {
  return store.crossChain.mints.has(useOf(message));
}

/** In the order in which the contracts look. */
function whyNot(world: World, message: BurnMessage, call: MintCall): string | undefined {
  if (message.destinationDomain !== call.destinationDomain) return 'Invalid destination domain';
  if (message.destinationCaller !== NOBODY) {
    const caller = call.caller && toBytes32(message.destinationDomain, call.caller);
    if (caller !== message.destinationCaller) return 'Invalid caller for message';
  }
  if (isUsed(world, message)) return 'Nonce already used';
  if (message.recipient !== messengerOf(message.destinationDomain, world.kind)) return 'Unknown recipient';
  if (message.sender !== messengerOf(message.sourceDomain, world.kind)) return 'Remote TokenMessenger unsupported';
  if (message.finalityThresholdExecuted < LEAST_FINALITY) return 'Unsupported finality threshold';
  if (isExpired(world, message)) return 'Message expired and must be re-signed';
  if (message.feeExecuted !== 0n && message.feeExecuted >= message.amount) return 'Fee equals or exceeds amount';
  return message.feeExecuted > message.maxFee ? 'Fee exceeds max fee' : undefined;
}

function isExpired(world: World, { nonce, destinationDomain, expirationBlock }: BurnMessage): boolean {
  if (expirationBlock === 0n) return false;
  const expired = world.store.crossChain.ofNonce(nonce)?.expired ?? false;
  return expired || heightOf(world, destinationDomain) >= expirationBlock;
}

function useOf({ destinationDomain, nonce }: Pick<BurnMessage, 'destinationDomain' | 'nonce'>): string {
  return `${destinationDomain}/${nonce}`;
}
