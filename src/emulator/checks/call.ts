import type { AbiFunction, Hex } from 'viem';
import { encodeFunctionData, parseAbiItem, size } from 'viem/utils';
import { checkAddress } from '../../crypto/addresses';
import { CHAINS, type Chain } from '../../domain/chains';
import { toBaseUnits } from '../../domain/money';
import { GAS, nativeDecimals } from '../chains/fees';
import { accountOf, assetOf, type Movement } from '../ledger';
import { Refusal } from '../refusal';
import { nativeToken } from '../tokens';
import type { World } from '../world';
import type { Source } from './source';

export interface CallFields {
  contractAddress: string;
  abiFunctionSignature?: string | undefined;
  abiParameters?: unknown[] | undefined;
  callData?: string | undefined;
  amount?: string | number | undefined;
}

export interface ContractCall {
  callData: Hex;
  /** The native value sent along, if any. */
  movements: Movement[];
  gas: bigint;
}

const CALL_DATA = /^0x(?:[0-9a-f]{2})*$/i;

/**
 * What a contract call consists of.
 * @throws Refusal 155510 no contracts here, 155219 no address, 155209 parameters can't be packed, 155245, 2
 */
export function callOf(world: World, source: Source, body: CallFields): ContractCall {
  const { blockchain, account: from } = source;
  requireContracts(source);
  if (checkAddress('evm', body.contractAddress) !== undefined) throw new Refusal(155219);
  const callData = callDataOf(body);
  const units = valueOf(body.amount, nativeDecimals(blockchain));
  const to = accountOf(blockchain, body.contractAddress);
  const asset = assetOf(nativeToken(world.store, blockchain).id);
  return {
    callData,
    movements: units === 0n ? [] : [{ from, to, asset, units }],
    gas: GAS.call + GAS.callByte * BigInt(size(callData)),
  };
}

/** @throws Refusal 155510: contracts are an EVM matter, and generic EVM wallets only sign (api-facts 3) */
export function requireContracts({ blockchain }: Source): void {
  const { family, transfers }: Chain = CHAINS[blockchain];
  if (family !== 'evm' || !transfers) throw new Refusal(155510);
}

/** Gas of a deployment. @throws Refusal 2 when the code is not hexadecimal */
export function deploymentGas(bytecode: string): bigint {
  const code = bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`;
  if (!CALL_DATA.test(code))
    throw new Refusal(2, { message: 'bytecode: an even number of hexadecimal digits is needed' });
  return GAS.deployment + GAS.deploymentByte * BigInt(size(code as Hex));
}

function callDataOf({ callData, abiFunctionSignature, abiParameters = [] }: CallFields): Hex {
  if (callData !== undefined) {
    if (CALL_DATA.test(callData)) return callData as Hex;
    throw new Refusal(2, { message: 'callData: 0x and an even number of hexadecimal digits are needed' });
  }
  try {
    const item = parseAbiItem(`function ${abiFunctionSignature}` as string) as AbiFunction;
    return encodeFunctionData({ abi: [item], args: abiParameters });
  } catch {
    throw new Refusal(155209);
  }
}

function valueOf(amount: string | number | undefined, decimals: number): bigint {
  if (amount === undefined) return 0n;
  try {
    return toBaseUnits(String(amount), decimals);
  } catch {
    throw new Refusal(155245);
  }
}
