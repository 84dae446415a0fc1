import type { Abi, AbiEvent, Hex } from 'viem';
import { encodeAbiParameters, encodeEventTopics, formatAbiItem } from 'viem/utils';
import { sameAddress, type Blockchain } from '../../../domain/chains';
import type { EventLog } from '../../resources';
import type { World } from '../../world';
import type { Block } from '../blocks';

/** A log as a blockchain has it. */
export interface RawLog {
  address: Hex;
  topics: readonly Hex[];
  data: Hex;
  event: AbiEvent;
}

/** Where logs landed. */
export interface LogPlace {
  blockchain: Blockchain;
  txHash: string;
  userOpHash: string;
  block: Block;
}

/** Encodes an event: indexed arguments as topics, the others as data. @throws Error of viem when they don't fit */
export function encodeLog(address: Hex, event: AbiEvent, args: Record<string, unknown>): RawLog {
  const plain = event.inputs.filter(({ indexed }) => !indexed);
  return {
    address,
    event,
    topics: encodeEventTopics({ abi: [event], eventName: event.name, args }) as Hex[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name = '' }) => args[name]),
    ),
  };
}

export function findEvent(abi: Abi, name: string): AbiEvent {
  const event = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === name);
  if (!event) throw new Error(`The ABI has no event ${name}`);
  return event;
}

/** Numbers logs in their block, keeps those that a monitor watches for, and tells subscribers of them. */
export function recordLogs(world: World, logs: readonly RawLog[], place: LogPlace): void {
  for (const log of logs) {
    const logIndex = world.store.evm.nextLogIndex(place.blockchain, place.block.blockHeight);
    if (isWatched(world, place.blockchain, log)) keep(world, log, place, logIndex);
  }
}

/** The block of a transaction is gone, and its logs with it. Who was told of them stays so. */
export function removeLogs({ store }: World, blockchain: Blockchain, txHash: string): void {
  const gone = store.eventLogs
    .all()
    .filter(({ resource }) => resource.blockchain === blockchain && resource.txHash === txHash);
  for (const { id } of gone) store.eventLogs.remove(id);
}

function isWatched({ store }: World, blockchain: Blockchain, { address, topics }: RawLog): boolean {
  return store.eventMonitors
    .all()
    .some(
      ({ resource }) =>
        resource.isEnabled &&
        resource.blockchain === blockchain &&
        resource.eventSignatureHash === topics[0] &&
        sameAddress(blockchain, resource.contractAddress, address),
    );
}

function keep(world: World, { address, topics, data, event }: RawLog, place: LogPlace, logIndex: number): void {
  const { blockchain, txHash, userOpHash, block } = place;
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
  world.store.eventLogs.add({ id, resource });
  world.webhooks.emit('contracts.eventLog', { ...resource, eventName: event.name });
}
