import type { Abi, AbiEvent, Hex } from 'viem';
import { encodeAbiParameters, encodeEventTopics, formatAbiItem } from 'viem/utils';
import { type Blockchain, sameAddress } from '../../domain/chains';
import type { Block } from '../chains/blocks';
import type { EventLog } from '../ledger/resources';
import type { World } from '../world/world';

/** A log as on a blockchain. */
export interface RawLog {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  event: AbiEvent;
}

/** The transaction and the block of logs. */
export interface LogLocation {
  blockchain: Blockchain;
  txHash: string;
  userOpHash: string;
  block: Block;
}

/**
 * Encodes an event: indexed arguments as topics, the others as data.
 * @throws Error of viem if they do not match the event
 */
export function encodeLog(address: Hex, event: AbiEvent, args: Record<string, unknown>): RawLog {
  const dataInputs = event.inputs.filter(({ indexed }) => !indexed);
  return {
    address,
    event,
    topics: encodeEventTopics({ abi: [event], eventName: event.name, args }) as Hex[],
    data: encodeAbiParameters(
      dataInputs,
      dataInputs.map(({ name = '' }) => args[name]),
    ),
  };
}

export function findEvent(abi: Abi, name: string): AbiEvent {
  const event = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === name);
  if (!event) throw new Error(`The ABI has no event ${name}`);
  return event;
}

/** Numbers logs within their block. Stores those that an event monitor matches, and sends a webhook for each. */
export function recordLogs(world: World, logs: readonly RawLog[], location: LogLocation): void {
  for (const log of logs) {
    const logIndex = world.evm.nextLogIndex(location.blockchain, location.block.blockHeight);
    if (isWatched(world, location.blockchain, log)) storeLog(world, log, location, logIndex);
  }
}

/** Removes the logs of a transaction whose block was replaced. Webhooks that were already sent are not withdrawn. */
export function removeLogs({ evm }: World, blockchain: Blockchain, txHash: string): void {
  const removed = evm.eventLogs
    .all()
    .filter(({ resource }) => resource.blockchain === blockchain && resource.txHash === txHash);
  for (const { id } of removed) evm.eventLogs.remove(id);
}

function isWatched({ evm }: World, blockchain: Blockchain, { address, topics }: RawLog): boolean {
  return evm.eventMonitors
    .all()
    .some(
      ({ resource }) =>
        resource.isEnabled &&
        resource.blockchain === blockchain &&
        resource.eventSignatureHash === topics[0] &&
        sameAddress(blockchain, resource.contractAddress, address),
    );
}

function storeLog(
  world: World,
  { address, topics, data, event }: RawLog,
  location: LogLocation,
  logIndex: number,
): void {
  const { blockchain, txHash, userOpHash, block } = location;
  const id = world.random.uuid();
  const resource: EventLog = {
    id,
    blockchain,
    contractAddress: address,
    txHash,
    userOpHash,
    ...block,
    logIndex: String(logIndex),
    eventSignature: formatAbiItem(event),
    eventSignatureHash: topics[0] ?? '0x',
    topics: [...topics],
    data,
    firstConfirmDate: world.clock.now().toISOString(),
  };
  world.evm.eventLogs.add({ id, resource });
  world.webhooks.emit('contracts.eventLog', { ...resource, eventName: event.name });
}
