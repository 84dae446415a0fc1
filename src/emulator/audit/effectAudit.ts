import type { Hex } from 'viem';
import { sameAddress } from '../../domain/chains';
import { evmContracts } from '../crossChain/addresses';
import { deployedAddress } from '../evm/executeAction';
import { accountOf, EXTERNAL_ACCOUNTS, type Movement } from '../ledger/ledger';
import { fixedId } from '../ledger/tokenCatalog';
import { ledgerUnitsOf, tokenById } from '../ledger/tokens';
import type { TransactionRow } from '../world/transactionRows';
import type { World } from '../world/world';

/**
 * Checks that the side effects outside the ledger (burns, mints, contracts, logs, ramp sessions) exist exactly for
 * settled transactions. Effects of transactions without a row, such as transfers from external senders, are not
 * checked.
 */
export function effectProblems(world: World): string[] {
  const { crossChain, evm, ramp } = world;
  const { transactions } = world.store;
  const unsettledHashes = new Set(
    transactions.all().flatMap(({ resource, settled }) => (settled ? [] : (resource.txHash ?? []))),
  );
  const problems: string[] = [];
  const requireSettled = (txHash: string | undefined, effect: string) => {
    if (txHash !== undefined && unsettledHashes.has(txHash)) {
      problems.push(`${effect} belongs to a transaction that is not in a block`);
    }
  };
  for (const { id, txHash } of crossChain.burns.all()) requireSettled(txHash, `The burn ${id}`);
  for (const [key, txHash] of crossChain.mints) requireSettled(txHash, `The mint ${key}`);
  for (const { id, resource } of evm.eventLogs.all()) requireSettled(resource.txHash, `The log ${id}`);
  for (const { id, resource, payoutPending } of ramp.sessions.all()) {
    if (!payoutPending) requireSettled(resource.transaction?.txHash, `The deposit or payout of the ramp session ${id}`);
  }
  for (const row of transactions.all()) problems.push(...deploymentProblems(world, row), ...cctpProblems(world, row));
  return problems;
}

function deploymentProblems({ evm }: World, row: TransactionRow): string[] {
  const address = deployedAddress(row);
  if (!address || evm.code.has(accountOf(row.resource.blockchain, address)) === row.settled) return [];
  return [
    `The contract ${address} ${row.settled ? 'is missing' : 'exists'}, but its deployment is ${row.resource.state}`,
  ];
}

/** Checks that a call's burned USDC equals its burns, and that a call that minted USDC has a used message. */
function cctpProblems({ crossChain, store }: World, { id, action, settled, resource }: TransactionRow): string[] {
  if (action?.type !== 'call' || !settled) return [];
  const { blockchain, txHash = '' } = resource;
  const isCallOf = (contract: 'messenger' | 'transmitter') =>
    (['test', 'live'] as const).some((kind) => sameAddress(blockchain, action.to, evmContracts(kind)[contract] as Hex));
  const usdc = ledgerUnitsOf(store, tokenById(store, fixedId(blockchain, 'USDC')));
  const sum = (side: keyof Pick<Movement, 'from' | 'to'>) =>
    (store.effectLog.get(blockchain, txHash)?.movements ?? [])
      .filter((movement) => movement.asset === usdc.asset && movement[side] === EXTERNAL_ACCOUNTS.external)
      .reduce((units, movement) => units + movement.units / usdc.scale, 0n);
  if (isCallOf('messenger')) {
    const burned = crossChain.burns.all().filter((row) => row.txHash === txHash);
    const units = burned.reduce((total, { amount }) => total + amount, 0n);
    return units === sum('to') ? [] : [`Transaction ${id} burned ${sum('to')} units, but its burns add up to ${units}`];
  }
  const hasMinted = [...crossChain.mints.values()].includes(txHash);
  if (!isCallOf('transmitter') || hasMinted === sum('from') > 0n) return [];
  return [`Transaction ${id} minted ${sum('from')} units, but ${hasMinted ? 'a' : 'no'} message was used`];
}
