import { toBaseUnits } from '../../../domain/money';
import { transactionOf } from '../../checks/transaction';
import { fieldRefusal } from '../../fieldRefusal';
import type { World } from '../../world';
import type { MessageRow } from '../state';
import { assetValue, requireAddress, valueOf, type Asset } from './assets';
import { findInbound, inboundMessage } from './messages';
import { counterpartyOf, type Counterparty } from './vasps';

/** The ways in which a request names a transfer that came in. */
interface Named {
  customerJurisdiction: string;
  travelRuleId?: string | undefined;
  transactionId?: string | undefined;
  transactionInfo?: { amount: string; asset: Asset; destination: string; origin: string; txHash: string } | undefined;
}

export interface Incoming {
  /** Millionths of a dollar, if anybody knows. */
  value: bigint | undefined;
  counterparty: Counterparty;
  message: MessageRow | undefined;
}

/**
 * A transfer that came in, and the message about it if there is one. Of several names the first counts: message,
 * transaction, what the blockchain shows.
 * @throws Refusal 404, 156003, or 2 when the transaction is an outbound one
 */
export function findIncoming(world: World, named: Named): Incoming {
  const { customerJurisdiction: jurisdiction, travelRuleId, transactionId, transactionInfo: info } = named;
  if (travelRuleId !== undefined) return ofMessage(world, inboundMessage(world, travelRuleId, jurisdiction));
  if (transactionId !== undefined) return ofTransaction(world, transactionId, jurisdiction);
  // The contract's rules let nothing else through.
  if (!info) throw fieldRefusal('transactionInfo', 'is required', 'required');
  const { asset, amount, destination, origin, txHash } = info;
  requireAddress(asset, 'transactionInfo.destination', destination);
  requireAddress(asset, 'transactionInfo.origin', origin);
  return {
    value: assetValue(asset, amount),
    counterparty: counterpartyOf(world, asset, origin),
    message: findInbound(world, jurisdiction, { txHash, origin, destination, units: BigInt(amount) }),
  };
}

function ofMessage(world: World, message: MessageRow): Incoming {
  const { asset, amount, originAddress } = message.resource;
  return {
    value: assetValue(asset, amount),
    counterparty: originAddress === undefined ? { kind: 'unknown' } : counterpartyOf(world, asset, originAddress),
    message,
  };
}

function ofTransaction(world: World, id: string, jurisdiction: string): Incoming {
  const { resource } = transactionOf(world, id);
  if (resource.transactionType !== 'INBOUND') throw fieldRefusal('transactionId', 'is no inbound transaction');
  const { sourceAddress: origin = '', destinationAddress: destination = '', txHash, tokenId = '' } = resource;
  const { symbol, decimals = 0 } = world.store.tokens.get(tokenId) ?? {};
  const units = (resource.amounts ?? []).reduce((sum, amount) => sum + toBaseUnits(amount, decimals), 0n);
  return {
    value: valueOf(symbol, units, decimals),
    // USDC stands for every family of blockchains that has transfers with messages.
    counterparty: counterpartyOf(world, 'USDC', origin),
    message: findInbound(world, jurisdiction, { txHash, origin, destination, units }),
  };
}
