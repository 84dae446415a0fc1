import { base58 } from '@scure/base';
import type { AbiFunction, Hex } from 'viem';
import { decodeAbiParameters, getAddress, hexToBytes, parseAbiItem, slice, toFunctionSelector } from 'viem/utils';
import type { CallMovement } from '../domain/callMovements';
import { findDomain } from '../domain/cctp';

/** A call of a contract: of the flow, or one that a contract makes on behalf of the flow. */
export interface InnerCall {
  contract: Hex;
  data: Hex;
  /** Native tokens, in their smallest unit. */
  value: bigint;
}

/** What a function does with its arguments. */
export interface FunctionReading {
  movements?: CallMovement[];
  calls?: InnerCall[];
}

/** @param contract the called contract @throws Error if the arguments do not fit together */
type Read = (contract: Hex, args: never) => FunctionReading;

const reading =
  <A extends readonly unknown[]>(read: (contract: Hex, args: A) => FunctionReading) =>
  (contract: Hex, args: A): FunctionReading =>
    read(contract, args);

/** One movement of a token of the called contract. */
const moves = <A extends readonly unknown[]>(movement: (...args: A) => Omit<CallMovement, 'contract'>): Read =>
  reading<A>((contract, args) => ({ movements: [{ ...movement(...args), contract }] }));

/** Calls that the called contract makes. */
const makes = <A extends readonly unknown[]>(calls: (contract: Hex, ...args: A) => InnerCall[]): Read =>
  reading<A>((contract, args) => ({ calls: calls(contract, ...args) }));

const MAX_UINT32 = 0xffff_ffff;

const burn = reading<[units: bigint, domain: number, mintRecipient: Hex, token: Hex]>((_contract, args) => {
  const [units, destinationDomain, mintRecipient, token] = args;
  // The decoder does not check the size, and the contract refuses such a call.
  if (destinationDomain > MAX_UINT32) throw new RangeError('The domain has more than 32 bits');
  const recipient = recipientIn(destinationDomain, mintRecipient);
  return { movements: [{ kind: 'burn', recipient, destinationDomain, contract: token, units: String(units) }] };
});

/** The standard functions that move tokens, let somebody take them, or make other calls, by their signature. */
const FUNCTIONS: Readonly<Record<string, Read>> = {
  // ERC-20; the first two also ERC-721.
  'transferFrom(address,address,uint256)': moves((owner: Hex, recipient: Hex, value: bigint) => ({
    kind: 'transfer',
    recipient,
    owner,
    unitsOrTokenId: String(value),
  })),
  'approve(address,uint256)': moves((recipient: Hex, value: bigint) => ({
    kind: 'approval',
    recipient,
    unitsOrTokenId: String(value),
  })),
  'transfer(address,uint256)': moves((recipient: Hex, units: bigint) => ({
    kind: 'transfer',
    recipient,
    units: String(units),
  })),
  'increaseAllowance(address,uint256)': moves((recipient: Hex, units: bigint) => ({
    kind: 'approval',
    recipient,
    units: String(units),
  })),

  // ERC-721.
  'safeTransferFrom(address,address,uint256)': moves((owner: Hex, recipient: Hex, id: bigint) => ({
    kind: 'transfer',
    recipient,
    owner,
    tokenId: String(id),
  })),
  'safeTransferFrom(address,address,uint256,bytes)': moves((owner: Hex, recipient: Hex, id: bigint) => ({
    kind: 'transfer',
    recipient,
    owner,
    tokenId: String(id),
  })),

  // ERC-721 and ERC-1155.
  'setApprovalForAll(address,bool)': moves((recipient: Hex, isApproved: boolean) => ({
    kind: isApproved ? 'approval' : 'revocation',
    recipient,
  })),

  // ERC-1155.
  'safeTransferFrom(address,address,uint256,uint256,bytes)': moves(
    (owner: Hex, recipient: Hex, id: bigint, units: bigint) => ({
      kind: 'transfer',
      recipient,
      owner,
      tokenId: String(id),
      units: String(units),
    }),
  ),
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': reading<
    [owner: Hex, recipient: Hex, ids: readonly bigint[], units: readonly bigint[]]
  >((contract, [owner, recipient, ids, units]) => {
    requireLength(units, ids.length);
    const movements = ids.map((id, index): CallMovement => {
      return { kind: 'transfer', recipient, owner, tokenId: String(id), units: String(units[index]), contract };
    });
    return { movements };
  }),

  // The cross-chain transfer protocol, versions 1 and 2.
  'depositForBurn(uint256,uint32,bytes32,address)': burn,
  'depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)': burn,

  // Several calls at once, by a smart-contract wallet or by the called contract itself.
  'execute(address,uint256,bytes)': makes((_wallet, contract: Hex, value: bigint, data: Hex) => [
    { contract, data, value },
  ]),
  'executeBatch(address[],bytes[])': makes((_wallet, contracts: readonly Hex[], data: readonly Hex[]) =>
    batch(contracts, [], data),
  ),
  'executeBatch(address[],uint256[],bytes[])': makes(
    (_wallet, contracts: readonly Hex[], values: readonly bigint[], data: readonly Hex[]) =>
      batch(contracts, values, data),
  ),
  'executeBatch((address,uint256,bytes)[])': makes(
    (_wallet, calls: readonly (readonly [contract: Hex, value: bigint, data: Hex])[]) =>
      calls.map(([contract, value, data]) => ({ contract, data, value })),
  ),
  'multicall(bytes[])': makes((contract, data: readonly Hex[]) => onItself(contract, data)),
  'multicall(uint256,bytes[])': makes((contract, _deadline: bigint, data: readonly Hex[]) => onItself(contract, data)),
};

interface KnownFunction {
  inputs: AbiFunction['inputs'];
  read: Read;
}

const BY_SELECTOR: ReadonlyMap<string, KnownFunction> = new Map(
  Object.entries(FUNCTIONS).map(([signature, read]) => {
    const item = parseAbiItem(`function ${signature}` as string) as AbiFunction;
    return [toFunctionSelector(item), { inputs: item.inputs, read }];
  }),
);

const SELECTOR_BYTES = 4;

/**
 * What the function that a call names does with its arguments.
 * @returns undefined if the function is not known, or its arguments do not fit
 */
export function readFunction({ contract, data }: Pick<InnerCall, 'contract' | 'data'>): FunctionReading | undefined {
  const known = BY_SELECTOR.get(data.slice(0, '0x'.length + 2 * SELECTOR_BYTES).toLowerCase());
  if (!known) return undefined;
  try {
    const args = decodeAbiParameters(known.inputs, slice(data, SELECTOR_BYTES));
    return known.read(contract, args as never);
  } catch {
    return undefined;
  }
}

/** `mintRecipient` as an address of the blockchain of a domain; of an unknown one, as its 32 bytes. */
function recipientIn(domain: number, mintRecipient: Hex): string {
  const family = findDomain(domain)?.family;
  if (family === 'solana') return base58.encode(hexToBytes(mintRecipient));
  const isEvmAddress = /^0x0{24}/.test(mintRecipient);
  return family === 'evm' && isEvmAddress ? getAddress(slice(mintRecipient, 12)) : mintRecipient;
}

/** A wallet sends no native tokens if the list of values is empty. */
function batch(contracts: readonly Hex[], values: readonly bigint[], data: readonly Hex[]): InnerCall[] {
  requireLength(data, contracts.length);
  if (values.length > 0) requireLength(values, contracts.length);
  return contracts.map((contract, index) => ({ contract, data: data[index]!, value: values[index] ?? 0n }));
}

/** The native tokens of the call are counted once, for the call itself. */
function onItself(contract: Hex, data: readonly Hex[]): InnerCall[] {
  return data.map((each) => ({ contract, data: each, value: 0n }));
}

function requireLength(list: readonly unknown[], length: number): void {
  if (list.length !== length) throw new RangeError('The lists of a call have different lengths');
}
