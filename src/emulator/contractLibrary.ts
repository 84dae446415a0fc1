import type { Abi, AbiEvent, Hex } from 'viem';
import { formatAbiItem, parseAbiItem, toEventSelector } from 'viem/utils';
import { isFinal } from '../domain/transactionState';
import { sameAddress, type Blockchain } from '../domain/chains';
import { deployedAddress } from './chains/evm/landing';
import { Refusal } from './refusal';
import type { Contract } from './resources';
import type { ContractRow } from './store';
import type { World } from './world';

/** Contracts that the entity has imported or deployed, and what is known of them. */

/** As the API shows it: what its deployment has come to follows from the transaction. */
export function shownContract({ store }: World, { resource }: ContractRow): Contract {
  const transaction = store.transactions.get(resource.deploymentTransactionId ?? '');
  if (!transaction) return resource;
  const { state, txHash, errorReason, errorDetails, updateDate } = transaction.resource;
  const failed = isFinal(state) && state !== 'COMPLETE';
  return {
    ...resource,
    status: failed ? 'FAILED' : state === 'COMPLETE' ? 'COMPLETE' : 'PENDING',
    contractAddress: failed ? undefined : deployedAddress(transaction),
    txHash,
    deploymentErrorReason: failed ? (errorReason ?? state) : undefined,
    deploymentErrorDetails: errorDetails,
    updateDate: updateDate > resource.updateDate ? updateDate : resource.updateDate,
  };
}

/** Adds one; what is not given is as for a contract that nothing is known of. */
export function addContract(
  world: World,
  given: Partial<Contract> & Pick<Contract, 'name' | 'blockchain' | 'contractInputType'>,
): ContractRow {
  const id = world.random.uuid();
  const at = world.clock.now().toISOString();
  const resource: Contract = {
    id,
    status: 'COMPLETE',
    verificationStatus: 'UNVERIFIED',
    archived: false,
    sourceCode: [],
    functions: [],
    events: [],
    createDate: at,
    updateDate: at,
    ...given,
  };
  return world.store.contracts.add({ id, resource });
}

/** @throws Refusal 175001 */
export function contractOf({ store }: World, id: string): ContractRow {
  const row = store.contracts.get(id);
  if (!row) throw new Refusal(175001);
  return row;
}

/** The entity's contract at an address, archived ones too. */
export function findContract(world: World, blockchain: Blockchain, address: string): ContractRow | undefined {
  return world.store.contracts.all().find((row) => {
    const { contractAddress, ...shown } = shownContract(world, row);
    return shown.blockchain === blockchain && contractAddress && sameAddress(blockchain, contractAddress, address);
  });
}

/** @throws Refusal 175009 it is being deployed, 175006 it is archived */
export function requireUsable(world: World, row: ContractRow): void {
  const { status, archived } = shownContract(world, row);
  if (status === 'PENDING') throw new Refusal(175009);
  if (archived) throw new Refusal(175006);
}

/** The parts of a contract's resource that its ABI tells. */
export function describeAbi(abi: Abi | undefined): Pick<Contract, 'abiJson' | 'functions' | 'events'> {
  const items = (abi ?? []) as readonly { type: string }[];
  return {
    abiJson: abi && JSON.stringify(abi),
    functions: items.filter(({ type }) => type === 'function') as Contract['functions'],
    events: items.filter(({ type }) => type === 'event') as Contract['events'],
  };
}

/** What the entity knows of a contract's functions and events, its implementation's among them. */
export function knownAbi({ resource }: ContractRow): Abi | undefined {
  const { abiJson, implementationContract } = resource;
  const texts = [abiJson, implementationContract?.['abiJson']].filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.flatMap((text) => JSON.parse(text) as Abi);
}

export interface EventSignature {
  event: AbiEvent;
  /** Name and types, in their one spelling. */
  signature: string;
  hash: Hex;
}

/**
 * An event's signature in its one spelling: without blanks, names and `indexed`, `uint` as `uint256` (field case WH-07).
 * Undefined when it is none.
 */
export function parseEventSignature(text: string): EventSignature | undefined {
  try {
    const event = parseAbiItem(`event ${text}` as string) as unknown as AbiEvent;
    return { event, signature: formatAbiItem(event), hash: toEventSelector(event) };
  } catch {
    return undefined;
  }
}

/** The event of an ABI that a signature's hash names. */
export function findEventByHash(abi: Abi, hash: Hex): AbiEvent | undefined {
  return abi.find((item): item is AbiEvent => item.type === 'event' && toEventSelector(item) === hash);
}
