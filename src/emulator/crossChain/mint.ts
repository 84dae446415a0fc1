import type { Hex } from 'viem';
import type { Blockchain } from '../../domain/chains';
import { newTxHash } from '../chains/blocks';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf } from '../ledger';
import { fixedAddress, fixedId } from '../tokensCatalogue';
import { receive } from '../transactionMachine';
import type { World } from '../world';
import { NOBODY, fromBytes32, messengerOf, toBytes32 } from './addresses';
import { checkAttestation } from './attesters';
import { decodeMessage, type BurnMessage } from './message';
import { blockchainOf, heightOf } from './routes';

/** A call of `receiveMessage` on a destination blockchain. */
export interface MintCall {
  destinationDomain: number;
  message: Hex;
  attestation: Hex;
  /** Who sends the transaction; needed where the burn named one. */
  caller?: string | undefined;
}

export type MintResult =
  | { state: 'minted'; txHash: string; amount: string; feeExecuted: string; mintRecipient: string }
  | { state: 'reverted'; reason: string };

/** The finality below which the token messenger takes nothing. */
const LEAST_FINALITY = 500;

/**
 * Carries a message out where it was sent to, once: the recipient gets the amount less the fee, at the pace of its
 * blockchain. Whatever is wrong reverts, with the contracts' own reasons, and changes nothing.
 */
export function mint(world: World, call: MintCall): MintResult {
  const reason = checkAttestation(call.message, call.attestation);
  if (reason) return { state: 'reverted', reason };
  const message = decodeMessage(call.message);
  if (!message) return { state: 'reverted', reason: 'Malformed message' };
  const broken = whyNot(world, message, call);
  if (broken) return { state: 'reverted', reason: broken };

  const { mints } = world.store.crossChain;
  const blockchain = blockchainOf(world, message.destinationDomain);
  const txHash = newTxHash(world, blockchain ?? 'ETH');
  mints.set(useOf(message), txHash);
  if (blockchain) arrive(world, blockchain, message);
  return {
    state: 'minted',
    txHash,
    amount: String(message.amount - message.feeExecuted),
    feeExecuted: String(message.feeExecuted),
    mintRecipient: fromBytes32(message.destinationDomain, message.mintRecipient),
  };
}

/** In the order in which the contracts look. */
function whyNot(world: World, message: BurnMessage, call: MintCall): string | undefined {
  const { mints } = world.store.crossChain;
  if (message.destinationDomain !== call.destinationDomain) return 'Invalid destination domain';
  if (message.destinationCaller !== NOBODY) {
    const caller = call.caller && toBytes32(message.destinationDomain, call.caller);
    if (caller !== message.destinationCaller) return 'Invalid caller for message';
  }
  if (mints.has(useOf(message))) return 'Nonce already used';
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

function useOf({ destinationDomain, nonce }: BurnMessage): string {
  return `${destinationDomain}/${nonce}`;
}

function arrive(world: World, blockchain: Blockchain, message: BurnMessage): void {
  const recipient = fromBytes32(message.destinationDomain, message.mintRecipient);
  const asset = assetOf(fixedId(blockchain, 'USDC'));
  receive(world, blockchain, {
    movements: [
      {
        from: OUTSIDE_ACCOUNTS.outside,
        to: accountOf(blockchain, recipient),
        asset,
        units: message.amount - message.feeExecuted,
      },
    ],
    sourceAddress: fixedAddress(blockchain, 'token minter'),
    destinationAddress: recipient,
  });
}
