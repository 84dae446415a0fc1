import type { Hex } from 'viem';
import { getContractAddress, keccak256, toHex } from 'viem/utils';
import type { Effect, Landing } from '../../landings';
import { accountOf, type Movement } from '../../ledger';
import type { TransactionRow } from '../../store';
import type { World } from '../../world';
import { currentBlock } from '../blocks';
import type { Action } from './action';
import { tryCall } from './call';
import { movementOf, type Place, type TokenTransfer } from './execution';
import { recordLogs } from './logs';
import { Revert } from './revert';

/** The well-known factory through which smart-contract wallets deploy, as they can't do it by a transaction of their own. */
const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Something that reaches an address by a call. */
export interface CallArrival {
  movements: Movement[];
  sourceAddress: string;
  destinationAddress: string;
}

export type Landed =
  | { failure: { errorReason: string; errorDetails: string } }
  /** What it has done, with what the call moves, to be moved in the ledger by who asked, and whom it reaches. */
  | { landing: Landing; arrivals: CallArrival[] };

/**
 * A transaction's block is there: its call or deployment happens, on the state as it is now. What the transaction had
 * set apart has to be free again.
 */
export function landAction(world: World, row: TransactionRow, action: Action): Landed {
  if (action.type === 'deploy') {
    const effects = [deploy(world, row, action)];
    return { landing: { movements: [], touched: new Set(), effects }, arrivals: [] };
  }
  const { blockchain, sourceAddress } = row.resource;
  const { to, data, value } = action;
  try {
    const { execution } = tryCall(world, { blockchain, sender: sourceAddress as Hex, to, data, value });
    const place = placeOf(row);
    const effects = execution.commit(place);
    recordLogs(world, execution.logs, { ...place, blockchain, block: currentBlock(world, blockchain) });
    const { transfers } = execution;
    return {
      landing: {
        movements: transfers.map((transfer) => movementOf(blockchain, transfer)),
        touched: execution.touched(),
        effects,
      },
      arrivals: arrivalsOf(row, transfers),
    };
  } catch (error) {
    if (!(error instanceof Revert)) throw error;
    return { failure: { errorReason: 'FAILED_ON_CHAIN', errorDetails: error.message } };
  }
}

/** A user operation has a hash of its own; smart-contract wallets only. */
export function placeOf({ wallet, resource }: TransactionRow): Place {
  const txHash = (resource.txHash ?? '0x') as Hex;
  const userOpHash = wallet.resource.accountType === 'SCA' ? keccak256(toHex(`user operation of ${txHash}`)) : '';
  return { txHash, userOpHash };
}

/** Where a deployment's contract will be; undefined until the transaction is sent, as its nonce decides. */
export function deployedAddress({ action, nonce, wallet, resource }: TransactionRow): Hex | undefined {
  if (action?.type !== 'deploy' || nonce === undefined) return undefined;
  const from = resource.sourceAddress as Hex;
  if (wallet.resource.accountType !== 'SCA') return getContractAddress({ from, nonce: BigInt(nonce) });
  const salt = keccak256(toHex(`${from.toLowerCase()}/${nonce}`));
  return getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt, bytecode: action.initCode });
}

function deploy(world: World, row: TransactionRow, { code, token }: Action & { type: 'deploy' }): Effect {
  const { store, random, clock } = world;
  const { blockchain } = row.resource;
  const address = deployedAddress(row);
  if (!address) throw new Error(`Transaction ${row.id} lands without having been sent`);
  const at = clock.now().toISOString();
  const tokenId = token && random.uuid();
  if (tokenId) {
    const dates = { createDate: at, updateDate: at };
    store.tokens.add({ id: tokenId, blockchain, isNative: false, tokenAddress: address, ...token, ...dates });
  }
  const account = accountOf(blockchain, address);
  store.evm.code.set(account, { ...code, blockchain, address, tokenId });
  row.resource.contractAddress = address;
  return {
    isUsed: () =>
      store.evm.hasStorage(blockchain, address) || (tokenId !== undefined && !store.ledger.isEmpty(tokenId)),
    undo() {
      store.evm.code.delete(account);
      row.resource.contractAddress = undefined;
      if (tokenId === undefined) return;
      store.tokens.remove(tokenId);
      store.monitoring.tokenIds.delete(tokenId);
      store.ledger.forget(tokenId);
    },
  };
}

/** One for each recipient and sender, with what it gets of one token. */
function arrivalsOf({ resource }: TransactionRow, transfers: readonly TokenTransfer[]): CallArrival[] {
  const groups = new Map<string, CallArrival>();
  for (const transfer of transfers) {
    const [tokenId] = transfer.asset.split('/');
    const key = `${transfer.from}/${transfer.to}/${tokenId}`.toLowerCase();
    const group = groups.get(key) ?? { movements: [], sourceAddress: transfer.from, destinationAddress: transfer.to };
    group.movements.push(movementOf(resource.blockchain, transfer));
    groups.set(key, group);
  }
  return [...groups.values()];
}
