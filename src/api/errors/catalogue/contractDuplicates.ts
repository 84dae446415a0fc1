import type { ApiErrorEntry } from '../entry';
import { SHARED_ERRORS } from './shared';
import { TRANSACTION_ERRORS } from './transaction';
import { WALLET_ERRORS } from './wallet';

/**
 * A code under which the contract platform repeats an error of wallets or transactions: `[its code, the repeated
 * code]`, with a status if that differs. Both share kind, condition and remedy; the name gets the prefix of the group.
 *
 * The statuses of 175401, 175403, 175405, 175408 and 177001–177010 are published. The others are not, and are assumed
 * to be those of the repeated code.
 */
type Duplicate = readonly [code: number, repeated: number, status?: number];

const ENDPOINT_REPEATS: readonly Duplicate[] = [
  [175401, 156009],
  [175402, 156027],
  [175403, 156020, 409],
  [175404, 156006],
  [175405, 156007],
  [175408, 156012],
];

const TRANSACTION_REPEATS: readonly Duplicate[] = [
  [177001, 155202],
  [177002, 155203],
  [177003, 155205],
  [177004, 155204],
  [177005, 155206],
  [177006, 155207],
  [177007, 155208],
  [177008, 155209],
  [177009, 155210],
  [177010, 155211],
  [177011, 155231],
  [177012, 155232],
  [177013, 155235],
  [177014, 155237],
  [177015, 155243],
  [177016, 155244],
  [177017, 155245],
  [177024, 155225],
  [177025, 155258],
  [177026, 155264],
  [177301, 155501],
  [177302, 155506],
  [177303, 155505],
  [177304, 155507],
  [177305, 155509],
  [177602, 156004],
  [177603, 156010],
  [177604, 156013],
  [177605, 156016],
  [177606, 156019],
  // Assumed to have the status of 175403, the same condition.
  [177607, 156020, 409],
];

const ORIGINALS = new Map(
  [...TRANSACTION_ERRORS, ...WALLET_ERRORS, ...SHARED_ERRORS].map((entry) => [entry.code, entry]),
);

function repeatsOf(prefix: string, repeats: readonly Duplicate[]): readonly ApiErrorEntry[] {
  return repeats.map(([code, repeated, status]) => {
    const original = ORIGINALS.get(repeated);
    if (original === undefined) throw new Error(`Error code ${code} repeats ${repeated}, which has no entry`);
    return { ...original, code, name: prefix + original.name, status: status ?? original.status };
  });
}

export const CONTRACT_DUPLICATES = [
  ...repeatsOf('Contract', ENDPOINT_REPEATS),
  ...repeatsOf('ContractTx', TRANSACTION_REPEATS),
];
