import type { Hex } from 'viem';
import { getContractAddress, keccak256, toHex } from 'viem/utils';
import { currentBlock } from '../chains/blocks';
import type { SideEffect, TransactionEffects } from '../ledger/effectLog';
import { accountOf, type Movement } from '../ledger/ledger';
import type { Action } from '../world/evmAction';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';
import { movementOf, type TokenTransfer, type TransactionHashes } from './execution';
import { recordLogs } from './logs';
import { Revert } from './revert';
import { simulateCall } from './simulateCall';

/** The well-known CREATE2 factory. Smart-contract wallets deploy through it, because they cannot send a deployment. */
const FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** A transfer of one token that a call causes. */
export interface CallTransfer {
  movements: Movement[];
  sourceAddress: string;
  destinationAddress: string;
}

export type ExecutionResult =
  | { failure: { errorReason: string; errorDetails: string } }
  /** The effects, whose movements the caller must apply to the ledger, and the transfers by recipient. */
  | { effects: TransactionEffects; transfers: CallTransfer[] };

/**
 * Executes the call or deployment of a transaction on the current state, when its block is mined. The caller must have
 * released the transaction's reserved funds.
 */
export function executeAction(world: World, row: TransactionRow, action: Action): ExecutionResult {
  if (action.type === 'deploy') {
    const sideEffects = [deploy(world, row, action)];
    return { effects: { movements: [], touchedSlots: new Set(), sideEffects }, transfers: [] };
  }
  const { blockchain, sourceAddress } = row.resource;
  const { to, data, value } = action;
  try {
    const { execution } = simulateCall(world, { blockchain, sender: sourceAddress as Hex, to, data, value });
    const hashes = hashesOf(row);
    const sideEffects = execution.commit(hashes);
    recordLogs(world, execution.logs, { ...hashes, blockchain, block: currentBlock(world, blockchain) });
    const { transfers } = execution;
    return {
      effects: {
        movements: transfers.map((transfer) => movementOf(blockchain, transfer)),
        touchedSlots: execution.touchedSlots(),
        sideEffects,
      },
      transfers: callTransfersOf(row, transfers),
    };
  } catch (error) {
    if (!(error instanceof Revert)) throw error;
    return { failure: { errorReason: 'FAILED_ON_CHAIN', errorDetails: error.message } };
  }
}

/** The hashes of a transaction. Only transactions of smart-contract wallets have a user operation hash. */
export function hashesOf({ wallet, resource }: TransactionRow): TransactionHashes {
  const txHash = (resource.txHash ?? '0x') as Hex;
  const userOpHash = wallet.resource.accountType === 'SCA' ? keccak256(toHex(`user operation of ${txHash}`)) : '';
  return { txHash, userOpHash };
}

/**
 * The address of a deployed contract; undefined until the transaction is sent, because the address depends on its
 * nonce.
 */
export function deployedAddress({ action, nonce, wallet, resource }: TransactionRow): Hex | undefined {
  if (action?.type !== 'deploy' || nonce === undefined) return undefined;
  const from = resource.sourceAddress as Hex;
  if (wallet.resource.accountType !== 'SCA') return getContractAddress({ from, nonce: BigInt(nonce) });
  const salt = keccak256(toHex(`${from.toLowerCase()}/${nonce}`));
  return getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt, bytecode: action.initCode });
}

function deploy(world: World, row: TransactionRow, { code, token }: Action & { type: 'deploy' }): SideEffect {
  const { evm, store, random, clock } = world;
  const { blockchain } = row.resource;
  const address = deployedAddress(row);
  if (!address) throw new Error(`Transaction ${row.id} was mined without having been sent`);
  const at = clock.now().toISOString();
  const tokenId = token && random.uuid();
  if (tokenId) {
    const dates = { createDate: at, updateDate: at };
    store.tokens.add({ id: tokenId, blockchain, isNative: false, tokenAddress: address, ...token, ...dates });
  }
  const account = accountOf(blockchain, address);
  evm.code.set(account, { ...code, blockchain, address, tokenId });
  row.resource.contractAddress = address;
  return {
    isUsed: () => evm.hasStorage(blockchain, address) || (tokenId !== undefined && !store.ledger.hasNoBalance(tokenId)),
    undo() {
      evm.code.delete(account);
      row.resource.contractAddress = undefined;
      if (tokenId === undefined) return;
      store.tokens.remove(tokenId);
      store.monitoring.tokenIds.delete(tokenId);
      store.ledger.forget(tokenId);
    },
  };
}

/** Groups transfers by sender, recipient and token. */
function callTransfersOf({ resource }: TransactionRow, transfers: readonly TokenTransfer[]): CallTransfer[] {
  const groups = new Map<string, CallTransfer>();
  for (const transfer of transfers) {
    const [tokenId] = transfer.asset.split('/');
    const key = `${transfer.from}/${transfer.to}/${tokenId}`.toLowerCase();
    const group = groups.get(key) ?? { movements: [], sourceAddress: transfer.from, destinationAddress: transfer.to };
    group.movements.push(movementOf(resource.blockchain, transfer));
    groups.set(key, group);
  }
  return [...groups.values()];
}
