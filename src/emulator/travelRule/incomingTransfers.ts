import { toBaseUnits } from '../../domain/money';
import { transactionOf } from '../checks/transaction';
import { invalidField } from '../errors/invalidField';
import { usdValue } from '../ledger/usdPrices';
import type { World } from '../world/world';
import { assetUsdValue, requireAddress, type TravelRuleAsset } from './assets';
import { findInbound, inboundMessage } from './messages';
import type { MessageRow } from './state';
import { type Counterparty, counterpartyOf } from './vasps';

/** The ways in which a request can refer to an incoming transfer. */
interface TransferReference {
  customerJurisdiction: string;
  travelRuleId?: string | undefined;
  transactionId?: string | undefined;
  transactionInfo?:
    { amount: string; asset: TravelRuleAsset; destination: string; origin: string; txHash: string } | undefined;
}

export interface MatchedTransfer {
  /** Millionths of a US dollar; undefined for a token without a price. */
  value: bigint | undefined;
  counterparty: Counterparty;
  message: MessageRow | undefined;
}

/**
 * Finds an incoming transfer and the message about it, if any. Uses the first reference that is present: message id,
 * transaction id, transaction details from the blockchain.
 * @throws ApiErrorResponse 404 unknown message, 156003 unknown transaction, 2 the transaction is outbound
 */
export function findIncoming(world: World, reference: TransferReference): MatchedTransfer {
  const { customerJurisdiction: jurisdiction, travelRuleId, transactionId, transactionInfo: info } = reference;
  if (travelRuleId !== undefined) return ofMessage(world, inboundMessage(world, travelRuleId, jurisdiction));
  if (transactionId !== undefined) return ofTransaction(world, transactionId, jurisdiction);
  // The contract requires one of the three, so this check is only for the type.
  if (!info) throw invalidField('transactionInfo', 'is required', 'required');
  const { asset, amount, destination, origin, txHash } = info;
  requireAddress(asset, 'transactionInfo.destination', destination);
  requireAddress(asset, 'transactionInfo.origin', origin);
  return {
    value: assetUsdValue(asset, amount),
    counterparty: counterpartyOf(world, { asset, address: origin }),
    message: findInbound(world, jurisdiction, { txHash, origin, destination, units: BigInt(amount) }),
  };
}

function ofMessage(world: World, message: MessageRow): MatchedTransfer {
  const { asset, amount, originAddress: address } = message.resource;
  return {
    value: assetUsdValue(asset, amount),
    counterparty: address === undefined ? { kind: 'unknown' } : counterpartyOf(world, { asset, address }),
    message,
  };
}

function ofTransaction(world: World, id: string, jurisdiction: string): MatchedTransfer {
  const { resource } = transactionOf(world, id);
  if (resource.transactionType !== 'INBOUND') throw invalidField('transactionId', 'is not an inbound transaction');
  const { sourceAddress: origin = '', destinationAddress: destination = '', txHash, tokenId = '' } = resource;
  const { symbol, decimals = 0 } = world.store.tokens.get(tokenId) ?? {};
  const units = (resource.amounts ?? []).reduce((sum, amount) => sum + toBaseUnits(amount, decimals), 0n);
  return {
    value: usdValue(symbol, units, decimals),
    // USDC covers every blockchain family that the travel rule supports.
    counterparty: counterpartyOf(world, { asset: 'USDC', symbol: symbol ?? '', address: origin }),
    message: findInbound(world, jurisdiction, { txHash, origin, destination, units }),
  };
}
