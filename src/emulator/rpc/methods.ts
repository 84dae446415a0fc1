import type { Hex } from 'viem';
import { encodeErrorResult, numberToHex, parseAbi } from 'viem/utils';
import { z } from 'zod';
import type { Blockchain } from '../../domain/chains';
import { blockAt, currentBlock, finalizedHeight, timeOfBlock } from '../chains/blocks';
import { CHAIN_IDS } from '../chains/chainIds';
import { BLOCK_GAS_LIMIT, baseFeeOf } from '../chains/fees';
import { codeAt } from '../evm/contractCode';
import { ZERO } from '../evm/execution';
import { Revert } from '../evm/revert';
import { simulateCall } from '../evm/simulateCall';
import { accountOf, assetOf } from '../ledger/ledger';
import { nativeToken } from '../ledger/tokens';
import type { World } from '../world/world';
import { RPC_CODES, RpcError } from './jsonRpc';
import { callWallet, deployedWallet } from './walletContract';

/** The blockchain of one endpoint. */
export interface RpcChain {
  world: World;
  blockchain: Blockchain;
}

/** A contract's code starts with an opcode that no compiler emits first: the emulator runs no bytecode. */
const PLACEHOLDER_CODE = '0xfe';
const ERROR_ABI = parseAbi(['error Error(string)']);

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]);
const address = hex.refine((text) => text.length === 42, 'must be an address of 20 bytes');
const bytes = hex.refine((text) => text.length % 2 === 0, 'must be whole bytes in hex');
const quantity = hex.refine((text) => /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/i.test(text), 'must be a number in hex');
const block = z.union([z.enum(['latest', 'pending', 'safe', 'finalized', 'earliest']), quantity]);
const call = z.object({
  from: address.default(ZERO),
  to: address,
  data: bytes.optional(),
  input: bytes.optional(),
  value: quantity.default('0x0'),
});

type BlockTag = z.output<typeof block>;

/** A method takes positional parameters. */
interface Method {
  params: z.ZodType<readonly unknown[]>;
  run(chain: RpcChain, params: never): unknown;
}

function method<P extends z.ZodType<readonly unknown[]>>(
  params: P,
  run: (chain: RpcChain, params: z.output<P>) => unknown,
): Method {
  return { params, run };
}

/** The methods that flows need: reads of blocks, balances and contracts. Each reads the state of the latest block. */
const METHODS: Readonly<Record<string, Method>> = {
  eth_chainId: method(z.tuple([]), ({ blockchain }) => numberToHex(CHAIN_IDS[blockchain as keyof typeof CHAIN_IDS])),
  eth_blockNumber: method(z.tuple([]), (chain) => numberToHex(latestHeight(chain))),
  eth_getBlockByNumber: method(z.tuple([block, z.boolean().default(false)]), (chain, [tag]) => blockOf(chain, tag)),
  eth_getBalance: method(z.tuple([address, block.default('latest')]), (chain, [owner, tag]) => {
    requireLatest(chain, tag);
    return numberToHex(nativeBalance(chain, owner));
  }),
  eth_getCode: method(z.tuple([address, block.default('latest')]), (chain, [at, tag]) => {
    requireLatest(chain, tag);
    return hasCode(chain, at) ? PLACEHOLDER_CODE : '0x';
  }),
  eth_call: method(z.tuple([call, block.default('latest')]), (chain, [request, tag]) => {
    requireLatest(chain, tag);
    return runCall(chain, request);
  }),
};

/** @throws RpcError -32601, -32602, 3 the call reverts, -32000 */
export function runMethod(chain: RpcChain, name: string, params: readonly unknown[]): unknown {
  const found = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (!found) {
    const known = Object.keys(METHODS).join(', ');
    throw new RpcError(RPC_CODES.unknownMethod, `The method ${name.slice(0, 100)} does not exist. Methods: ${known}`);
  }
  const { data, error } = found.params.safeParse(params);
  if (!data) {
    const [issue] = error.issues;
    throw new RpcError(RPC_CODES.invalidParams, `params[${issue?.path.join('.')}]: ${issue?.message}`);
  }
  return found.run(chain, data as never);
}

function latestHeight({ world, blockchain }: RpcChain): number {
  return currentBlock(world, blockchain).blockHeight;
}

/** The height that a tag or number names; undefined if there is no such block yet. */
function heightOf(chain: RpcChain, tag: BlockTag): number | undefined {
  const latest = latestHeight(chain);
  switch (tag) {
    case 'latest':
    case 'pending':
      return latest;
    case 'safe':
    case 'finalized':
      return finalizedHeight(chain.world, chain.blockchain);
    case 'earliest':
      return 0;
    default:
      return BigInt(tag) <= BigInt(latest) ? Number(tag) : undefined;
  }
}

/** @throws RpcError for an earlier state: the emulator would otherwise show a later one as final */
function requireLatest(chain: RpcChain, tag: BlockTag): void {
  if (heightOf(chain, tag) !== latestHeight(chain)) {
    throw new RpcError(RPC_CODES.server, 'The emulator keeps the state of the latest block only; use the tag latest');
  }
}

function blockOf(chain: RpcChain, tag: BlockTag) {
  const height = heightOf(chain, tag);
  if (height === undefined) return null;
  const { blockchain } = chain;
  return {
    number: numberToHex(height),
    hash: blockAt(blockchain, height).blockHash,
    parentHash: blockAt(blockchain, height - 1).blockHash,
    timestamp: numberToHex(Math.floor(timeOfBlock(blockchain, height).getTime() / 1_000)),
    baseFeePerGas: numberToHex(baseFeeOf(blockchain)),
    gasLimit: numberToHex(BLOCK_GAS_LIMIT),
    gasUsed: '0x0',
    transactions: [],
  };
}

function nativeBalance({ world, blockchain }: RpcChain, owner: string): bigint {
  return world.store.ledger.balance(accountOf(blockchain, owner), assetOf(nativeToken(world.store, blockchain).id));
}

function hasCode({ world, blockchain }: RpcChain, at: string): boolean {
  return codeAt(world, blockchain, at) !== undefined || deployedWallet(world, blockchain, at) !== undefined;
}

/** @throws RpcError 3 */
function runCall({ world, blockchain }: RpcChain, request: z.output<typeof call>): Hex {
  const { from: sender, to, data = request.input ?? '0x', value } = request;
  const wallet = deployedWallet(world, blockchain, to);
  try {
    if (wallet) return callWallet(wallet, data);
    return simulateCall(world, { blockchain, sender, to, data, value: BigInt(value) }).returned;
  } catch (error) {
    if (!(error instanceof Revert)) throw error;
    const reason = error.message;
    const returned = encodeErrorResult({ abi: ERROR_ABI, errorName: 'Error', args: [reason] });
    throw new RpcError(RPC_CODES.reverted, `execution reverted: ${reason}`, returned);
  }
}
