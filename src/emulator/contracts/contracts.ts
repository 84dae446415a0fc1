import type { Abi, AbiEvent, Hex } from 'viem';
import { formatAbiItem, parseAbiItem, toEventSelector } from 'viem/utils';
import { type Blockchain, sameAddress } from '../../domain/chains';
import { isFinal } from '../../domain/transactionState';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { deployedAddress } from '../evm/executeAction';
import type { Contract } from '../ledger/resources';
import type { World } from '../world/world';
import type { ContractRow } from './state';

/** Contracts that the entity has imported or deployed. */

/** The contract as the API shows it. The deployment status follows from the deployment's transaction. */
export function presentContract({ store }: World, { resource }: ContractRow): Contract {
  const transaction = store.transactions.get(resource.deploymentTransactionId ?? '');
  if (!transaction) return resource;
  const { state, txHash, errorReason, errorDetails, updateDate } = transaction.resource;
  const failed = isFinal(state) && state !== 'COMPLETE';
  const isPending = !isFinal(state);
  return {
    ...resource,
    ...(isPending && { sourceCode: undefined, functions: undefined, events: undefined }),
    status: isPending ? 'PENDING' : failed ? 'FAILED' : 'COMPLETE',
    contractAddress: failed ? undefined : deployedAddress(transaction),
    txHash,
    deploymentErrorReason: failed ? (errorReason ?? state) : undefined,
    deploymentErrorDetails: errorDetails,
    updateDate: updateDate > resource.updateDate ? updateDate : resource.updateDate,
  };
}

/** Adds a contract. Fields that are not set get the defaults of an unverified contract. */
export function addContract(
  world: World,
  fields: Partial<Contract> & Pick<Contract, 'name' | 'blockchain' | 'contractInputType'>,
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
    ...fields,
  };
  return world.contractLibrary.contracts.add({ id, resource });
}

/** @throws ApiErrorResponse 175001 */
export function contractOf({ contractLibrary }: World, id: string): ContractRow {
  const row = contractLibrary.contracts.get(id);
  if (!row) throw new ApiErrorResponse(175001);
  return row;
}

/** The entity's contract at an address, even if it is archived. */
export function findContract(world: World, blockchain: Blockchain, address: string): ContractRow | undefined {
  return world.contractLibrary.contracts.all().find((row) => {
    const { contractAddress, ...contract } = presentContract(world, row);
    return contract.blockchain === blockchain && contractAddress && sameAddress(blockchain, contractAddress, address);
  });
}

/** @throws ApiErrorResponse 175009 its deployment is pending, 175006 it is archived */
export function requireUsable(world: World, row: ContractRow): void {
  const { status, archived } = presentContract(world, row);
  if (status === 'PENDING') throw new ApiErrorResponse(175009);
  if (archived) throw new ApiErrorResponse(175006);
}

/** The fields of a contract's resource that come from its ABI. */
export function abiFields(abi: Abi | undefined): Pick<Contract, 'abiJson' | 'functions' | 'events'> {
  const items = (abi ?? []) as readonly { type: string }[];
  return {
    abiJson: abi && JSON.stringify(abi),
    functions: items.filter(({ type }) => type === 'function') as Contract['functions'],
    events: items.filter(({ type }) => type === 'event') as Contract['events'],
  };
}

/** The known ABI of a contract, together with that of its implementation. */
export function knownAbi({ resource }: ContractRow): Abi | undefined {
  const { abiJson, implementationContract } = resource;
  const texts = [abiJson, implementationContract?.['abiJson']].filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.flatMap((text) => JSON.parse(text) as Abi);
}

export interface EventSignature {
  event: AbiEvent;
  /** Name and types in canonical form. */
  signature: string;
  hash: Hex;
}

/**
 * Parses an event signature into its canonical form: without spaces, names and `indexed`, and with `uint256` for
 * `uint`. Returns undefined for anything else.
 */
export function parseEventSignature(text: string): EventSignature | undefined {
  try {
    const event = parseAbiItem(`event ${text}` as string) as unknown as AbiEvent;
    return { event, signature: formatAbiItem(event), hash: toEventSelector(event) };
  } catch {
    return undefined;
  }
}

/** The event of an ABI with a signature hash. */
export function findEventByHash(abi: Abi, hash: Hex): AbiEvent | undefined {
  return abi.find((item): item is AbiEvent => item.type === 'event' && toEventSelector(item) === hash);
}
