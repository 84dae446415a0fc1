import type { Hex } from 'viem';
import { sameAddress } from '../domain/chains';
import { deployedAddress } from './chains/evm/landing';
import { evmContracts } from './crossChain/addresses';
import { OUTSIDE_ACCOUNTS, accountOf, assetOf, type Movement } from './ledger';
import type { Store, TransactionRow } from './store';
import { fixedId } from './tokensCatalogue';

/**
 * Whether what transactions have done beside the ledger stands and falls with them: burns, mints, contracts, logs, and
 * sessions of the ramp. What strangers have sent, of which there is no row, can't be taken back.
 */
export function landingProblems(store: Store): string[] {
  const { crossChain, eventLogs, ramp, transactions } = store;
  const gone = new Set(transactions.all().flatMap(({ resource, landed }) => (landed ? [] : (resource.txHash ?? []))));
  const problems: string[] = [];
  const require = (txHash: string | undefined, what: string) => {
    if (txHash !== undefined && gone.has(txHash)) problems.push(`${what} is of a transaction that is in no block`);
  };
  for (const { id, txHash } of crossChain.burns.all()) require(txHash, `The burn ${id}`);
  for (const [use, txHash] of crossChain.mints) require(txHash, `The mint ${use}`);
  for (const { id, resource } of eventLogs.all()) require(resource.txHash, `The log ${id}`);
  for (const { id, resource, paying } of ramp.sessions.all()) {
    if (!paying) require(resource.transaction?.txHash, `The deposit or payout of the ramp session ${id}`);
  }
  for (const row of transactions.all()) problems.push(...deploymentProblems(store, row), ...cctpProblems(store, row));
  return problems;
}

function deploymentProblems({ evm }: Store, row: TransactionRow): string[] {
  const address = deployedAddress(row);
  if (!address || evm.code.has(accountOf(row.resource.blockchain, address)) === row.landed) return [];
  return [`The contract ${address} is ${row.landed ? 'missing' : 'there'}, its deployment is ${row.resource.state}`];
}

/** USDC that a call has burned is in flight, or minted elsewhere; what one has minted was in flight. */
function cctpProblems({ crossChain, landings }: Store, { id, action, landed, resource }: TransactionRow): string[] {
  if (action?.type !== 'call' || !landed) return [];
  const { blockchain, txHash = '' } = resource;
  const is = (contract: 'messenger' | 'transmitter') =>
    (['test', 'live'] as const).some((kind) => sameAddress(blockchain, action.to, evmContracts(kind)[contract] as Hex));
  const usdc = assetOf(fixedId(blockchain, 'USDC'));
  const sum = (side: keyof Pick<Movement, 'from' | 'to'>) =>
    (landings.get(blockchain, txHash)?.movements ?? [])
      .filter((movement) => movement.asset === usdc && movement[side] === OUTSIDE_ACCOUNTS.outside)
      .reduce((units, movement) => units + movement.units, 0n);
  if (is('messenger')) {
    const burned = crossChain.burns.all().filter((row) => row.txHash === txHash);
    const units = burned.reduce((total, { amount }) => total + amount, 0n);
    return units === sum('to') ? [] : [`Transaction ${id} has burned ${sum('to')} units, and ${units} are in flight`];
  }
  const hasMinted = [...crossChain.mints.values()].includes(txHash);
  if (!is('transmitter') || hasMinted === sum('from') > 0n) return [];
  return [`Transaction ${id} has minted ${sum('from')} units, and ${hasMinted ? 'a' : 'no'} message is used`];
}
